"""Attention as a support vector machine: exact solutions and training.

Source: seed 003, Optimisation; Tarzanagh, Li, Thrampoulidis, Oymak, arXiv 2308.16898; Vasudeva,
Deora, Thrampoulidis, arXiv 2402.05738.
"""

from .exact import Certificate, Farkas, Infeasible
from .factorised import FactorisedRun, train_factorised
from .instances import equal_scores, loc, random_infeasible, random_problem, random_scored
from .multitoken import MultiTokenProblem, MultiTokenRun, decompose, sparsemax, train_multitoken
from .paths import regularization_path, virtual_time
from .problem import Problem
from .solve import Solution, solve
from .train import Trajectory, misalignment, train

__all__ = [
    "Certificate",
    "FactorisedRun",
    "Farkas",
    "Infeasible",
    "MultiTokenProblem",
    "MultiTokenRun",
    "Problem",
    "Solution",
    "Trajectory",
    "decompose",
    "equal_scores",
    "loc",
    "misalignment",
    "random_infeasible",
    "random_problem",
    "random_scored",
    "regularization_path",
    "solve",
    "sparsemax",
    "train",
    "train_factorised",
    "train_multitoken",
    "virtual_time",
]
