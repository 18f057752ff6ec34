"""Separation ranks of networks, exact and certified modulo a prime.

Nothing here uses a closed form of the result: ranks come from values of random integer networks.

Source: seed 002; Levine, Wies, Jannai, Navon, Hoshen, Shashua, arXiv 2110.04541.
"""

from .attention import AttentionNetwork, random_attention
from .experiment import FULL, QUICK, DegreeExperiment, Protocol, degree_experiment
from .hadamard import HadamardNetwork, random_hadamard
from .kernels import fractional_determinant, kernel_grid, relu_rank
from .modular import PRIME, Pivots, minor_mod, pivots_mod, rank_mod
from .network_spectra import network_epsilon_rank, network_spectrum
from .ranks import (
    Block,
    RankCertificate,
    attention_rank,
    certify_rank,
    hadamard_rank,
    values_mod,
)
from .spectra import epsilon_rank, hard_target, spectrum
from .tails import BoundedSpectrum
from .training import Run, TrainingReport, train_networks

__all__ = [
    "FULL",
    "PRIME",
    "QUICK",
    "AttentionNetwork",
    "Block",
    "BoundedSpectrum",
    "DegreeExperiment",
    "HadamardNetwork",
    "Pivots",
    "Protocol",
    "RankCertificate",
    "Run",
    "TrainingReport",
    "attention_rank",
    "certify_rank",
    "degree_experiment",
    "epsilon_rank",
    "fractional_determinant",
    "hadamard_rank",
    "hard_target",
    "kernel_grid",
    "minor_mod",
    "network_epsilon_rank",
    "network_spectrum",
    "pivots_mod",
    "random_attention",
    "random_hadamard",
    "rank_mod",
    "relu_rank",
    "spectrum",
    "train_networks",
    "values_mod",
]
