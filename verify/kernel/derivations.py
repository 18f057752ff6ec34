"""Derivations: every line by its rule; the last line is the statement."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp
from sympy import Expr

from ...symbolic.derivation import Derivation
from ...symbolic.statements import Every, Relation, Statement
from .calculus import CALCULUS
from .evidence import Finding
from .means import MEANS
from .orbits import ORBITS
from .rules import RULES, scope
from .separation import SEPARATION
from .terms import Rejected, admit, put, require

ALL = {**RULES, **CALCULUS, **MEANS, **ORBITS, **SEPARATION}
Lemmas = Mapping[str, tuple[Statement, str]]


def derivation(statement: Statement, evidence: Derivation, lemmas: Lemmas) -> Finding:
    """Every line by its rule; the last line is the statement."""
    require(bool(evidence.lines), "the derivation is empty")
    require(evidence.lines[-1].statement == statement, "the derivation ends at another statement")
    facts: dict[str, None] = {}
    outcome = "proved"
    for number, line in enumerate(evidence.lines, 1):
        try:
            require(all(0 < k < number for k in line.using), "it uses a line that is not above it")
            premises = tuple(evidence.lines[k - 1].statement for k in line.using)
            args = dict(line.args)
            for value in args.values():
                if isinstance(value, Expr):
                    admit(value)
            if line.rule == "claim":
                known, earned = lemmas.get(str(args["name"]), (None, ""))
                require(known == line.statement, f"no judged claim {args['name']} says this")
                require(earned in ("proved", "certified"), f"that claim is {earned}")
                outcome = "certified" if earned == "certified" else outcome
                continue
            require(line.rule in ALL, "there is no such rule")
            facts.update(dict.fromkeys(ALL[line.rule](line.statement, premises, args)))
            restated = line.rule == "fact" and _restates(line.statement, statement)
            require(not restated, "a fact may not be the claim itself")
        except Exception as error:
            raise Rejected(f"line {number} ({line.rule}): {error}") from error
    return Finding("Derivation", outcome, f"{len(evidence.lines)} lines re-checked", tuple(facts))


def _restates(fact: Statement, claim: Statement) -> bool:
    """The claim is the fact, or the fact with terms moved across or scaled by a number."""
    if type(claim) is Every:
        return any(_restates(fact, part) for part in claim.parts)
    if type(fact) is not Relation or type(claim) is not Relation:
        return fact == claim
    known, wanted = fact.lhs - fact.rhs, claim.lhs - claim.rhs
    context = scope(claim)
    samples = {symbol: sp.Rational(3 + 2 * k, 7) for k, symbol in enumerate(sorted(
        known.free_symbols | wanted.free_symbols, key=str))}  # fmt: skip
    ratios = [put(wanted, samples), put(known, samples)]
    return (
        context.equal(known, wanted)
        or context.equal(known, -wanted)
        or (fact.op == claim.op == "=" and context.equal(known * ratios[0], wanted * ratios[1]))
    )
