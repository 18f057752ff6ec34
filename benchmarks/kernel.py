"""How fast the kernel re-checks, next to the ways one would check by hand with SymPy.

    python benchmarks/kernel.py

Equalities: the kernel's field of fractions against `simplify(lhs - rhs) == 0`, on the same
identities in the same run (the fastest of three rounds each; an answer other than True counts
as unable). Derivations: seconds a line. Ratios are what to look at; seconds are this machine's.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from sympy import E, Expr, LambertW, exp, log, simplify, symbols

from lemmata.symbolic.statements import REALS, Domains, above, integers
from lemmata.verify.claims import CLAIMS
from lemmata.verify.kernel import check
from lemmata.verify.kernel.reasoning import Context

a, b, c, d, n, w, x, y = symbols("a b c d n w x y")

IDENTITIES: tuple[tuple[str, Expr, Expr, Domains], ...] = (
    ("softmax, two forms", 1 / (1 + exp(y - x)), exp(x) / (exp(x) + exp(y)),
     ((x, REALS), (y, REALS))),
    ("slope of ln d/(d + c)", (log(d) / (d + c)).diff(d), (d + c - d * log(d)) / (d * (d + c) ** 2),
     ((d, above(0)), (c, above(0)))),
    ("powers split", 2 ** (2 * n + 1) * 3**n, 2 * 12**n, ((n, integers(0)),)),
    ("(d^(1/d))^(a/b)", (d ** (1 / d)) ** (a / b), d ** (a / (b * d)),
     ((a, above(0)), (b, above(0)), (d, above(0)))),
    ("Lambert W", exp(1 + LambertW(c / E)), c / LambertW(c / E), ((c, above(0)),)),
    ("polynomial of degree 8", (a + b) ** 8 - (a - b) ** 8,
     16 * a * b * (a**2 + b**2) * (a**4 + 6 * a**2 * b**2 + b**4), ((a, REALS), (b, REALS))),
    ("sum of fractions", 1 / (x * (x + 1)) + 1 / ((x + 1) * (x + 2)), 2 / (x * (x + 2)),
     ((x, above(0)),)),
)  # fmt: skip


def fastest(job: Callable[[], bool], rounds: int = 3) -> tuple[float, bool]:
    best, answer = float("inf"), False
    for _ in range(rounds):
        start = time.perf_counter()
        answer = job()
        best = min(best, time.perf_counter() - start)
    return best, answer


def equalities() -> None:
    print(f"{'identity':<24}{'kernel':>12}{'simplify':>14}{'ratio':>10}")
    for name, lhs, rhs, over in IDENTITIES:
        context = Context.of(over)
        ours, seen = fastest(lambda c=context, p=lhs, q=rhs: c.equal(p, q))
        theirs, theirs_seen = fastest(lambda p=lhs, q=rhs: simplify(p - q) == 0)
        unable = "" if theirs_seen else "  unable"
        assert_true(seen, name)
        print(
            f"{name:<24}{ours * 1e3:>9.2f} ms{theirs * 1e3:>11.2f} ms{theirs / ours:>9.1f}x{unable}"
        )


def derivations() -> None:
    print(f"\n{'derivation':<28}{'lines':>6}{'ms a line':>12}")
    lemmas = {claim.id: (claim.statement, claim.expected) for claim in CLAIMS}
    for claim in CLAIMS:
        if claim.derivation is None:
            continue
        proof = claim.derivation()
        spent, proved = fastest(
            lambda claim=claim, proof=proof: (
                check(claim.id, claim.statement, (proof,), lemmas).outcome == "proved"
            )
        )
        assert_true(proved, claim.id)
        print(f"{claim.id:<28}{len(proof.lines):>6}{spent * 1e3 / len(proof.lines):>12.2f}")


def assert_true(answer: bool, name: str) -> None:
    if not answer:
        raise SystemExit(f"{name}: the kernel no longer sees this")


if __name__ == "__main__":
    equalities()
    derivations()
