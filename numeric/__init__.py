"""Experiments, solvers and certificates: evidence from the other side of a derivation."""
