"""Separation ranks of networks, exact and certified modulo a prime.

Nothing here uses a closed form of the result: ranks come from values of random integer networks.

Source: seed 002; Levine, Wies, Jannai, Navon, Hoshen, Shashua, arXiv 2110.04541.
"""

from .attention import AttentionNetwork, random_attention
from .hadamard import HadamardNetwork, random_hadamard
from .modular import PRIME, Pivots, minor_mod, pivots_mod, rank_mod
from .ranks import (
    Block,
    RankCertificate,
    attention_rank,
    certify_rank,
    hadamard_rank,
    values_mod,
)

__all__ = [
    "PRIME",
    "AttentionNetwork",
    "Block",
    "HadamardNetwork",
    "Pivots",
    "RankCertificate",
    "attention_rank",
    "certify_rank",
    "hadamard_rank",
    "minor_mod",
    "pivots_mod",
    "random_attention",
    "random_hadamard",
    "rank_mod",
    "values_mod",
]
