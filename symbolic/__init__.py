"""Closed forms and derivations: the language of statements, and proofs written in it."""
