"""A second opinion on a run: recorded verdicts against recorded evidence, by other means.

    python -I verify/second_opinion.py RUN        (needs Python alone)

Nothing is shared with the kernel: expressions are read into trees of its own and evaluated in
interval arithmetic on rationals, rounded outward; a rational result stays exact. Exact evidence
is recomputed. A derivation is not re-proved: its form is checked, and every line that can be
evaluated is tried at a few points of its domain, where it may not fail. What cannot be told is
`no opinion`, never agreement.
"""

import argparse
import ast
import hashlib
import json
import math
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import accumulate, combinations, islice, pairwise, permutations, product
from operator import add, mul
from pathlib import Path
from typing import Any, NamedTuple

SCHEMA = "lemmata/1"
BITS = 160  # of a rounded number
WORK = 224  # of the steps of exp and log
LARGEST = 1 << 16  # bits of an exact number, terms of a sum, cases, argument of exp
POINTS = 24  # of a line's domain
CUTS = 10  # halvings of a box that intervals do not decide
ITERATES = 10_000  # of an orbit
SIZE = 1024  # bits of an iterate before and behind the point
STEPS = 3 << 24  # multiplications of a network, a few seconds
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
SUPPORT = ("proved", "certified", "confirmed")
Data = Any  # of JSON
Tree = tuple[Any, ...]  # ("number", 3), ("name", "x"), ("entry", "x", i, ...), (function, *trees)
HEADER = "schema settings shares mutants source selection environment digest"
RECORD = (
    "schema run id title source expected statement statement_text statement_hash hypotheses uses "
    "corrects corrected_by settings evidence verdict errors mutants seconds digest"
)
MUTANT = "name why statement evidence verdict errors"
VERDICT = "outcome facts uses findings detail"


class Unsound(ValueError):
    """A file that is no record of a run; the message names the file and the field."""


class Untold(Exception):
    """What this file cannot evaluate or decide."""


class Rejected(Exception):
    """Evidence that does not show what it is for."""


def require(holds: bool | None, why: str) -> None:
    if holds is None:
        raise Untold(f"undecided: {why}")
    if not holds:
        raise Rejected(why)


class Interval(NamedTuple):
    """All reals from low to high."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        return self.low == self.high


def point(value: Fraction | int) -> Interval:
    return Interval(Fraction(value), Fraction(value))


def rounded(q: Fraction, up: bool, bits: int = BITS) -> Fraction:
    """The nearest number of so many bits on that side."""
    shift = bits - q.numerator.bit_length() + q.denominator.bit_length()
    scale = Fraction(1 << shift) if shift >= 0 else Fraction(1, 1 << -shift)
    return Fraction(math.ceil(q * scale) if up else math.floor(q * scale)) / scale


def hull(*ends: Fraction) -> Interval:
    low, high = min(ends), max(ends)
    if low == high and max(low.numerator.bit_length(), low.denominator.bit_length()) <= LARGEST:
        return Interval(low, high)
    return Interval(rounded(low, False), rounded(high, True))


def plus(x: Interval, y: Interval) -> Interval:
    return hull(x.low + y.low, x.high + y.high)


def times(x: Interval, y: Interval) -> Interval:
    return hull(x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high)


def minus(x: Interval, y: Interval) -> Interval:
    return hull(x.low - y.high, x.high - y.low)


@lru_cache(1 << 14)
def exp_at(x: Fraction) -> Interval:
    """exp x = (exp x/2^n)^(2^n), the series cut where its terms vanish; both rounded outward."""
    if x < 0:
        ends = exp_at(-x)
        return Interval(1 / ends.high, 1 / ends.low)
    if x > LARGEST:
        raise Untold("exp of a large number")
    halvings = int(x).bit_length() + 8
    small, one, ends = x * (1 << WORK) / 2**halvings, 1 << WORK, []
    for up in (0, 1):
        r = math.ceil(small) if up else math.floor(small)
        total, term, k = one, one, 0
        while term > up:
            k += 1
            term = term * r // (k * one) + up
            total += term
        value = Fraction(total + up, one)  # the tail is below the last term
        for _ in range(halvings):
            value = rounded(value * value, bool(up), WORK)
        ends.append(value)
    return hull(*ends) if x else point(1)


def atanh_at(t: Fraction) -> Interval:
    """t + t^3/3 + t^5/5 + ... for 0 <= t <= 1/3."""
    one, ends = 1 << WORK, []
    for up in (0, 1):
        r = math.ceil(t * one) if up else math.floor(t * one)
        total, power, k = 0, r, 1
        while power > up:
            total += power // k + up
            power, k = power * r * r // (one * one) + up, k + 2
        ends.append(Fraction(total + 2 * up, one))
    return Interval(*ends)


@lru_cache(1 << 14)
def log_at(x: Fraction) -> Interval:
    """log x = k log 2 + 2 atanh((m - 1)/(m + 1)) with x = m 2^k."""
    if x <= 0:
        raise Untold("log of a number that is not positive")
    k = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / Fraction(2) ** k  # from 1/2 to 2
    part = times(point(2 if m >= 1 else -2), atanh_at(abs((m - 1) / (m + 1))))
    return plus(part, times(point(2 * k), atanh_at(Fraction(1, 3)))) if x != 1 else point(0)


@lru_cache(1 << 12)
def lambert_at(x: Fraction) -> Interval:
    """W0: Newton's steps guess the w >= -1 with w exp w = x; its neighbours are tested."""
    require(times(point(-x), exp_at(Fraction(1))).high <= 1 or None, "W0 is defined")
    w = max(log_at(1 + x).high, Fraction(-1, 2) if x < 0 else Fraction(0))
    for _ in range(60):
        power = exp_at(w).high
        step = rounded((w - x / power) / (1 + w), True) if w > -1 else Fraction(0)
        w = rounded(w - step, True)
        if abs(step) < Fraction(1, 1 << BITS):
            break
    for bits in range(BITS - 8, 0, -16):
        low, high = max(w - Fraction(1, 1 << bits), Fraction(-1)), w + Fraction(1, 1 << bits)
        below, above = times(point(low), exp_at(low)), times(point(high), exp_at(high))
        if (below.high <= x or low == -1) and x <= above.low:
            return hull(low, high) if x else point(0)
    raise Untold("W0 of a number next to -1/e")


def rising(at: Callable[[Fraction], Interval]) -> Callable[[Interval], Interval]:
    return lambda x: hull(at(x.low).low, at(x.high).high)


exp, log, lambert = rising(exp_at), rising(log_at), rising(lambert_at)


def whole(x: Interval) -> int:
    if not x.exact or x.low.denominator != 1 or abs(x.low) > LARGEST:
        raise Untold("a number that must be a whole one, and not a large one")
    return int(x.low)


def power(x: Interval, y: Interval) -> Interval:
    if y.exact and y.low.denominator == 1 and abs(y.low) <= LARGEST:
        n = int(y.low)
        if n < 0:
            if x.low <= 0 <= x.high:
                raise Untold("division by what may be zero")
            return hull(*(1 / end for end in power(x, point(-n))))
        size = max(x.low.numerator.bit_length(), x.low.denominator.bit_length()) * n
        if x.exact and size <= LARGEST:
            return point(x.low**n)
        if n and n % 2 == 0 and x.low <= 0 <= x.high:
            return Interval(Fraction(0), power(point(max(-x.low, x.high)), y).high)
        square = power(x, point(n // 2)) if n > 1 else point(1)
        return reduce(times, [square, square, x] if n % 2 else [square, square])
    if x == point(0) and y.low > 0:
        return x
    if y == point(Fraction(1, 2)) and x.exact and x.low > 0:
        root = Fraction(math.isqrt(x.low.numerator), math.isqrt(x.low.denominator))
        if root * root == x.low:
            return point(root)
    return exp(times(y, log(x)))


def factorial(x: Interval) -> Interval:
    require(0 <= whole(x) <= 2000 or None, "the factorial is small")
    return point(math.factorial(whole(x)))


def binomial(n: Interval, k: Interval) -> Interval:
    require((min(whole(n), whole(k)) >= 0 and whole(n) <= 2000) or None, "the binomial is small")
    return point(math.comb(whole(n), whole(k)))


def absolute(x: Interval) -> Interval:
    return hull(max(x.low, -x.high, Fraction(0)), max(-x.low, x.high))


PI = 314159265358979323846264338327950288419716939937510
CONSTANTS = {"E": exp_at(Fraction(1)), "pi": hull(*(Fraction(PI + k, 10**50) for k in (0, 1)))}
FUNCTIONS: dict[str, tuple[Callable[..., Interval], range]] = {
    "exp": (exp, range(1, 2)),
    "log": (log, range(1, 2)),
    "LambertW": (lambert, range(1, 2)),
    "sqrt": (lambda x: power(x, point(Fraction(1, 2))), range(1, 2)),
    "floor": (lambda x: hull(*map(Fraction, map(math.floor, x))), range(1, 2)),
    "ceiling": (lambda x: hull(*map(Fraction, map(math.ceil, x))), range(1, 2)),
    "Abs": (absolute, range(1, 2)),
    "factorial": (factorial, range(1, 2)),
    "binomial": (binomial, range(2, 3)),
    "Max": (lambda *xs: hull(max(x.low for x in xs), max(x.high for x in xs)), range(2, 17)),
    "Min": (lambda *xs: hull(min(x.low for x in xs), min(x.high for x in xs)), range(2, 17)),
    "add": (lambda *xs: reduce(plus, xs), range(0)),
    "mul": (lambda *xs: reduce(times, xs), range(0)),
    "pow": (power, range(0)),
}


@lru_cache(1 << 14)
def parse(text: str) -> Tree:
    """The tree of a text in Python's arithmetic; nothing of it is run."""
    try:
        if len(text) > 100_000 or re.search(r"[^\w +*/()\[\],-]", text, re.ASCII):
            raise ValueError("expected short text in the characters of arithmetic")
        return tree(ast.parse(f"({text})", mode="eval").body)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise Unsound(f"expression {text[:60]!a}: {str(error)[:120] or 'too deep'}") from None


def number(value: Fraction | int) -> Tree:
    return ("number", Fraction(value))


def tree(node: ast.expr) -> Tree:
    match node:
        case ast.Constant(value=value) if type(value) is int:
            return number(value)
        case ast.Name(id=name):
            return ("name", name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ("mul", number(-1), tree(operand))
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            return ("pow", tree(base), tree(exponent))
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return chain(node, "add", ast.Add, ast.Sub, lambda x: ("mul", number(-1), x))
        case ast.BinOp(op=ast.Mult() | ast.Div()):
            return chain(node, "mul", ast.Mult, ast.Div, lambda x: ("pow", x, number(-1)))
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            indices = index.elts if isinstance(index, ast.Tuple) else [index]
            return ("entry", name, *map(tree, indices))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return call(name, args)
    raise ValueError(f"{type(node).__name__} is not in the language")


def chain(node: ast.expr, name: str, same: type, inverse: type, turn: Callable) -> Tree:
    """A sum or product, however long."""
    parts = []
    while isinstance(node, ast.BinOp) and type(node.op) in (same, inverse):
        right = tree(node.right)
        parts.append(right if type(node.op) is same else turn(right))
        node = node.left
    return (name, tree(node), *reversed(parts))


UNEVALUATED = {"erf", "erfc", "gamma", "sin", "cos", "tan", "sinh", "cosh", "tanh"}
BINDERS = {"Sum", "Product", "Integral"}


def call(name: str, args: list[ast.expr]) -> Tree:
    match args:
        case [body, ast.Name(id=x)] if name == "Derivative":
            return (name, tree(body), x, 1)
        case [body, ast.Tuple(elts=[ast.Name(id=x), ast.Constant(value=int(n))])] if (
            name == "Derivative" and n < 100
        ):
            return (name, tree(body), x, n)
        case [body, ast.Tuple(elts=[ast.Name(id=x), low, high])] if name in BINDERS:
            return (name, tree(body), x, tree(low), tree(high))
    if name not in UNEVALUATED and (name not in FUNCTIONS or len(args) not in FUNCTIONS[name][1]):
        raise ValueError(f"{name[:20]} of {len(args)} arguments is not in the language")
    return (name, *map(tree, args))


def value(expression: Tree, env: dict[Any, Any]) -> Interval:
    """An interval that contains the value, where names and entries have those of `env`."""
    match expression:
        case ("number", q):
            return point(q)
        case ("name", name) if name in env or name in CONSTANTS:
            return env[name] if name in env else CONSTANTS[name]
        case ("entry", name, *indices):
            place = tuple(whole(value(index, env)) for index in indices)
            if name in env:  # a sample of an array repeats itself
                return env[name][sum(place) % len(env[name])]
            if (name, *place) in env:
                return env[(name, *place)]
        case ("Derivative", body, x, n):
            value(body, env)
            return value(reduce(lambda f, _: slope(f, x), range(n), body), env)
        case ("Sum" | "Product" as name, body, x, low, high):
            first, last = whole(value(low, env)), whole(value(high, env))
            require(first <= last + 1 or None, "the range of a sum is in order")
            terms = (value(body, {**env, x: point(k)}) for k in range(first, last + 1))
            return reduce(*((plus, terms, point(0)) if name == "Sum" else (times, terms, point(1))))
        case ("Integral", ("Derivative", body, y, 1), x, low, high) if x == y:
            # The fundamental theorem, where the derivative is bounded in between.
            a, b = value(low, env), value(high, env)
            value(slope(body, x), {**env, x: Interval(min(a.low, b.low), max(a.high, b.high))})
            return minus(value(body, {**env, x: b}), value(body, {**env, x: a}))
        case (name, *args) if name in FUNCTIONS:
            return FUNCTIONS[name][0](*(value(arg, env) for arg in args))
    raise Untold(f"{expression[0]} {str(expression[1])[:20]!r} is not evaluated")


def free(expression: Tree, x: str) -> bool:
    return expression == ("name", x) or any(
        free(part, x) for part in expression if isinstance(part, tuple)
    )


def multiply(*factors: Tree) -> Tree:
    return number(0) if number(0) in factors else ("mul", *factors)


@cache
def slope(f: Tree, x: str) -> Tree:
    """The derivative, by the rules."""
    if not free(f, x):
        return number(0)
    match f:
        case ("name", _):
            return number(1)
        case ("add", *terms):
            return ("add", *(slope(term, x) for term in terms))
        case ("mul", *factors):
            each = range(len(factors))
            return ("add", *(multiply(*(slope(factors[j], x) if i == j else factors[j]
                                        for j in each)) for i in each))  # fmt: skip
        case ("pow", base, n) if not free(n, x):
            return multiply(n, ("pow", base, ("add", n, number(-1))), slope(base, x))
        case ("pow", base, n):
            return multiply(f, slope(("mul", n, ("log", base)), x))
        case ("sqrt", base):
            return slope(("pow", base, number(Fraction(1, 2))), x)
        case ("exp", u):
            return multiply(f, slope(u, x))
        case ("log", u):
            return multiply(("pow", u, number(-1)), slope(u, x))
        case ("LambertW", u):
            below = ("mul", ("exp", f), ("add", number(1), f))
            return multiply(("pow", below, number(-1)), slope(u, x))
        case ("Derivative", body, y, n):
            return slope(reduce(lambda g, _: slope(g, y), range(n), body), x)
    raise Untold(f"the derivative of {f[0]}")


def compare(left: Interval, op: str, right: Interval) -> bool | None:
    """True or false, or None where the intervals do not tell."""
    low, high = minus(left, right)
    match op:
        case "<":
            return True if high < 0 else False if low >= 0 else None
        case ">":
            return compare(right, "<", left)
        case "=":
            return True if low == high == 0 else False if low > 0 or high < 0 else None
        case "<=" | ">=" | "!=":
            return opposite(compare(left, {"<=": ">", ">=": "<", "!=": "="}[op], right))
    raise Unsound(f"op: expected = != < <= > >=; got {op!a}")


def opposite(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def both(truths: Iterator[bool | None]) -> bool | None:
    found = list(truths)
    return False if False in found else None if None in found else True


def at(text: str, env: dict[Any, Any]) -> Interval:
    return value(parse(text), env)


def holds(relation: Data, env: dict[Any, Any]) -> bool | None:
    return compare(at(relation["lhs"], env), relation["op"], at(relation["rhs"], env))


def assumed(statement: Data, env: dict[Any, Any]) -> bool | None:
    """Do the hypotheses hold? One that is about all k stays open."""
    return both(None if g["over"] else holds(g, env) for g in statement.get("given", ()))


def inside(x: Interval, domain: Data, env: dict[Any, Any]) -> bool | None:
    def truths() -> Iterator[bool | None]:
        if domain["low"] != "-oo":
            yield compare(x, ">" if domain["low_open"] else ">=", at(domain["low"], env))
        if domain["high"] != "oo":
            yield compare(x, "<" if domain["high_open"] else "<=", at(domain["high"], env))
        if domain["integer"]:
            yield x.low.denominator == 1 if x.exact else None

    return both(truths())


def domains(statement: Data) -> list[tuple[Any, Data]]:
    """The variables with their domains; an array is named by a tuple."""
    own = [[statement["variable"], statement["domain"]]] if "variable" in statement else []
    over = [*statement.get("over", ()), *own]
    named = [((v["array"],) if isinstance(v, dict) else v, domain) for v, domain in over]
    require(len(dict(named)) == len(named), "each variable has one domain")
    return named


def true_at(statement: Data, env: dict[Any, Any]) -> bool | None:
    """Is a relation true, a maximum not beaten, at one point of its domain?"""
    match statement["kind"]:
        case "Relation":
            return holds(statement, env)
        case "Maximum":
            x, best = statement["variable"], at(statement["at"], env)
            top = {**env, x: best}
            if inside(best, statement["domain"], env) is False:
                return False
            found, other = at(statement["function"], env), compare(env[x], "=", best)
            smaller = compare(found, "<", at(statement["function"], top))
            return True if other or smaller else None if other is None else smaller
        case "MaximumValue":
            return compare(at(statement["function"], env), "<=", at(statement["high"], env))
    raise Untold(f"{statement['kind']} at a point")


def samples(over: list[tuple[Any, Data]], env: dict[Any, Any], each: int) -> Iterator[dict]:
    """Points of a domain, the same ones every time."""
    if not over:
        yield env
        return
    (name, domain), *rest = over
    low = at(domain["low"], env).high if domain["low"] != "-oo" else None
    high = at(domain["high"], env).low if domain["high"] != "oo" else None
    steps = [Fraction(n, d) for n, d in ((1, 2), (1, 16), (15, 16), (1, 3), (0, 1), (1, 1))]
    if low is not None and high is not None:
        found = [low + (high - low) * step for step in steps]
    else:
        steps = [Fraction(n, 16) for n in (16, 1, 144, 8, 0, 32, 48, 112)]
        start = low if low is not None else Fraction(-3)
        found = [start + step if high is None else high - step for step in steps]
    if domain["integer"]:
        found = [Fraction(math.ceil(x)) for x in found]
    simple = dict.fromkeys(x.limit_denominator(1000) for x in found)
    points = [point(x) for x in simple if inside(point(x), domain, env)][:each]
    for k, x in enumerate(points):
        if isinstance(name, tuple):
            yield from samples(rest, {**env, name[0]: points[k:] + points[:k]}, each)
        else:
            yield from samples(rest, {**env, name: x}, each)


def text_of(env: dict[Any, Any]) -> str:
    """The point, for the reader; entries of an array as x[1]."""
    names = {key: f"{key[0]}{list(key[1:])}" if isinstance(key, tuple) else key for key in env}
    shown = [f"{names[key]} = {x.low}" for key, x in env.items() if isinstance(x, Interval)]
    return f"at {', '.join(shown)}" if env else "as it stands"


@lru_cache(1 << 12)
def attack(text: str) -> tuple[int, str]:
    """Points at which the statement was tried, and how it fails there, if it does."""
    statement = json.loads(text)
    tried = 0
    match statement["kind"]:
        case "Every":
            found = [attack(json.dumps(part)) for part in statement["parts"]]
            return sum(n for n, _ in found), next((why for _, why in found if why), "")
        case "Rank":
            true = eliminate([numbers(row) for row in statement["matrix"]], None)[0]
            return 1, "" if true == statement["value"] else f"the rank is {true}"
        case "PolynomialDegree":
            names = statement["variables"]
            line = {name: (3 + 5 * k * k, 7 + 2 * k) for k, name in enumerate(names)}
            least, most = degree_bounds(statement["polynomial"], line, (1 << 61) - 1)
            stated = whole(at(statement["value"], {}))
            return 1, "" if least <= stated <= most else f"the degree is in [{least}, {most}]"
        case "Orbit" if not statement["eventually"] and not statement["over"]:
            try:
                for here in islice(iterates(statement, {}), POINTS):
                    tried += 1
                    if holds(statement["holds"], here) is False:
                        return tried, f"false at iterate {tried - 1}"
            except Untold:
                pass
        case "SeparationRank":
            return separated(statement)
        case "Relation" | "Maximum" | "MaximumValue":
            over = domains(statement)
            try:
                for env in islice(samples(over, {}, {1: 8, 2: 5, 3: 3}.get(len(over), 2)), POINTS):
                    try:
                        if assumed(statement, env):
                            truth = true_at(statement, env)
                            tried += 1
                            if truth is False:
                                return tried, f"false {text_of(env)}"
                    except Untold:
                        continue
            except Untold:
                pass
    return tried, ""


Earned = tuple[str, str]  # an outcome, and a word on it; functions that find none raise


def counterexample(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    if statement["kind"] in ("Minimiser", "Infeasible"):
        return feasible(statement, numbers(x for _, x in item["point"]))
    if statement["kind"] == "NoSpuriousMinimum":
        return spurious(statement, item)
    if statement["kind"] not in ("Relation", "Maximum", "MaximumValue", "Orbit"):
        raise Untold(f"a counterexample to {statement['kind']}")
    here = dict(env)
    allowed = {name: domain for name, domain in domains(statement) if name not in env}
    given = {}
    for key, text in item["point"]:
        match parse(key):
            case ("name", name):
                here[name], given[name] = at(text, {}), allowed.get(name)
            case ("entry", name, *indices):
                place = (name, *(whole(value(index, {})) for index in indices))
                here[place], given[place] = at(text, {}), allowed.get((name,))
    for name, domain in given.items():
        require(domain is not None, f"{name} is no variable of the statement")
        require(inside(here[name], domain, here), f"{name} lies in its domain")
    require(all(name in here for name in allowed if isinstance(name, str)), "no variable is missed")
    if statement["kind"] == "Orbit":
        return strays(statement, item, here)
    require(assumed(statement, here), "the hypotheses hold")
    if statement["kind"] == "Maximum":  # a rival is compared with it, so it must be there
        require(inside(at(statement["at"], here), statement["domain"], here) or None, "at is there")
    require(opposite(true_at(statement, here)), "the statement fails there")
    return "refuted", f"false {text_of(here)}"


def iterates(orbit: Data, env: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    """The first iterates, all variables at once, each rounded so that it stays short."""
    here = {name: at(text, env) for name, text in orbit["start"]}
    for _ in range(ITERATES + 1):
        here = {name: Interval(rounded(x.low, False), rounded(x.high, True))
                for name, x in here.items()}  # fmt: skip
        ends = [end for x in here.values() for end in x]
        if any(max(q.numerator.bit_length(), q.denominator.bit_length()) > SIZE for q in ends):
            raise Untold("an orbit of very large or very small numbers")
        yield {**env, **here}
        here = {name: at(text, {**env, **here}) for name, text in orbit["step"]}


def strays(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    require(not statement["eventually"], "one iterate is of weight")
    number = whole(at(item["start"], {}))
    require(0 <= number <= ITERATES, "the iterate has a number")
    here = next(islice(iterates(statement, env), number, None))
    require(opposite(holds(statement["holds"], here)), "the statement fails there")
    return "refuted", f"false at iterate {number}"


def enumeration(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    if statement["kind"] == "Mean":
        return signs(statement, item, env)
    if statement["kind"] not in ("Relation", "Maximum"):
        raise Rejected(f"{statement['kind']} is not finite")
    over, count = [pair for pair in domains(statement) if pair[0] not in env], 0
    for here in cases(over, env, item["reach"]):
        count += 1
        require(count <= 200_000, "the cases are not too many")
        if (given := assumed(statement, here)) is not False:
            require(given, "the hypotheses hold")
            require(true_at(statement, here), f"it holds {text_of(here)}")
    require(count == item["cases"], f"there are {count} cases, not {item['cases']}")
    part = any(domain["high"] == "oo" for _, domain in over)
    return ("confirmed", f"the first {count} cases") if part else ("certified", f"{count} cases")


def cases(over: list[tuple[Any, Data]], env: dict[Any, Any], reach: int) -> Iterator[dict]:
    if not over:
        yield env
        return
    (name, domain), *rest = over
    finite = domain["integer"] and domain["low"] != "-oo" and isinstance(name, str)
    require(finite, f"{name} runs over integers from a first one on")
    first = math.ceil(at(domain["low"], env).low)
    last = math.floor(at(domain["high"], env).high) if domain["high"] != "oo" else first + reach - 1
    require(first <= last, f"{name} has cases")
    for k in range(first, last + 1):
        if inside(point(k), domain, env):
            yield from cases(rest, {**env, name: point(k)}, reach)


def entries(expression: Tree, env: dict[Any, Any]) -> set[tuple[Any, ...]]:
    """The entries of arrays that the value of an expression depends on."""
    match expression:
        case ("number" | "name", _):
            return set()
        case ("entry", name, *indices):
            return {(name, *(whole(value(index, env)) for index in indices))}
        case ("Sum" | "Product", body, x, low, high):
            ends = [whole(value(end, env)) for end in (low, high)]
            found = (entries(body, {**env, x: point(k)}) for k in range(ends[0], ends[1] + 1))
            return set().union(*found)
        case (name, *args) if name in FUNCTIONS:
            return set().union(*(entries(arg, env) for arg in args))
    raise Untold(f"the signs in {expression[0]}")


def signs(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    quantity, laws = statement["quantity"], statement["laws"]
    require(all(name in env for name, _ in domains(statement)), "all parameters are fixed")
    ranges = {v["array"] if isinstance(v, dict) else v: choices(law) for v, law in laws}
    event = isinstance(quantity, dict)
    sides = [quantity["lhs"], quantity["rhs"]] if event else [quantity]
    arrays = [name["array"] for name, _ in laws if isinstance(name, dict)]
    places = set().union(*(entries(parse(side), env) for side in sides)) if arrays else set()
    require(all(place[0] in arrays for place in places), "each entry is one of a law")
    names = [*(name for name, _ in laws if isinstance(name, str)), *sorted(places)]
    values = [ranges[name if isinstance(name, str) else name[0]] for name in names]
    ways, total = math.prod(map(len, values)), point(0)
    require(ways <= LARGEST, "the cases are not too many")
    for choice in product(*values):
        here = {**env, **dict(zip(names, map(point, choice), strict=True))}
        if event:
            truth = holds(quantity, here)
            require(None if truth is None else True, "each case is decided")
            total = plus(total, point(bool(truth)))
        else:
            total = plus(total, at(quantity, here))
    mean = times(total, point(Fraction(1, ways)))
    equal = compare(mean, "=", at(statement["value"], env))
    if equal is False:
        return "refuted", f"the mean is {mean.low}"
    require(equal, "the mean is decided")
    require(item["cases"] == ways, "the number of cases is right")
    return "certified", f"{ways} cases"


def choices(law: str) -> range:
    """Equally likely integers: a sign, or "1..6"."""
    ends = re.fullmatch("([0-9]{1,8})[.][.]([0-9]{1,8})", law)
    found = range(-1, 2, 2) if law == "sign" else ends and range(int(ends[1]), int(ends[2]) + 1)
    if not found:
        raise Rejected(f"{law!r} has finitely many values")
    return found


Box = tuple[tuple[Fraction, Fraction], ...]


def everywhere(test: Callable[[Box], bool | None], box: Box, cuts: int = CUTS) -> bool | None:
    """Is it true on the box, or on the halves of the box?"""
    try:
        found = test(box)
    except Untold:
        found = None
    if found is not None or not cuts:
        return found
    k = max(range(len(box)), key=lambda k: box[k][1] - box[k][0])
    middle = (box[k][0] + box[k][1]) / 2
    for side in ((box[k][0], middle), (middle, box[k][1])):
        if not (found := everywhere(test, (*box[:k], side, *box[k + 1 :]), cuts - 1)):
            return found
    return True


def enclosure(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    kind, around = statement["kind"], item["around"]
    require(kind in ("Relation", "Maximum", "MaximumValue"), f"{kind} is decided by boxes")
    over = [pair for pair in domains(statement) if pair[0] not in env]
    names, boxes = [name for name, _ in over], [tuple(map(tuple_of, b)) for b in item["boxes"]]
    require(item["variables"] == names, "the boxes are those of the variables")
    require(not statement.get("given") and not any(d["integer"] for _, d in over), "no hypotheses")
    for box in boxes:
        require(everywhere(box_test(statement, names, env), box), f"it holds on {item['boxes'][0]}")
    if kind == "MaximumValue":
        here = {**env, statement["variable"]: point(rational(item["witness"]))}
        require(inside(here[names[0]], statement["domain"], env), "the witness is in the domain")
        reached = compare(at(statement["function"], here), ">=", at(statement["low"], env))
        require(reached, "the witness is high enough")
    if kind == "Maximum":
        boxes.append((tuple_of(around),))
    whole_domain = fill(boxes, over, env)
    if kind == "Maximum":
        concave_around(statement, boxes[-1], env)
    require(whole_domain or kind != "MaximumValue", "the boxes fill the domain")
    return ("certified" if whole_domain else "confirmed"), f"{len(boxes)} boxes"


def box_test(statement: Data, names: list[str], env: dict) -> Callable[[Box], bool | None]:
    def test(box: Box) -> bool | None:
        here = {**env, **{name: Interval(*side) for name, side in zip(names, box, strict=True)}}
        if statement["kind"] == "Maximum":
            return compare(at(statement["function"], here), "<", best)
        return true_at(statement, here)

    if statement["kind"] == "Maximum":
        top = {statement["variable"]: at(statement["at"], env)}
        best = at(statement["function"], {**env, **top})
    return test


def fill(boxes: list[Box], over: list[tuple[Any, Data]], env: dict[Any, Any]) -> bool:
    """The boxes fill their bounding box, a part of the domain; is it the whole domain?"""
    require(0 < len(boxes) <= 3000, "the boxes are neither none nor too many")
    require(all(a < b for box in boxes for a, b in box), "no box is flat")
    bounds = [(min(a for a, _ in s), max(b for _, b in s)) for s in zip(*boxes, strict=True)]
    for one, two in combinations(boxes, 2):
        apart = any(a[1] <= b[0] or b[1] <= a[0] for a, b in zip(one, two, strict=True))
        require(apart, "no two boxes overlap")
    volumes = [math.prod(b - a for a, b in box) for box in (*boxes, bounds)]
    require(sum(volumes[:-1]) == volumes[-1], "the boxes leave no gap")
    ends = []  # of the domain and of the boxes, with who reaches further
    for (_, domain), (a, b) in zip(over, bounds, strict=True):
        for name, end, op in (("low", a, ">="), ("high", b, "<=")):
            limit = None if domain[name] in ("oo", "-oo") else at(domain[name], env)
            beyond = limit is not None and compare(limit, op, point(end))
            ends.append((beyond, limit is None or compare(point(end), op, limit)))
    covered = both(beyond for beyond, _ in ends)
    require(covered or both(within for _, within in ends), "the boxes are a part of the domain")
    return bool(covered)


def concave_around(statement: Data, around: Box, env: dict[Any, Any]) -> None:
    x, best, f = statement["variable"], at(statement["at"], env), parse(statement["function"])
    bend = slope(slope(f, x), x)
    require(inside(best, statement["domain"], env), "the maximum is in the domain")
    within = compare(best, ">=", point(around[0][0])), compare(best, "<=", point(around[0][1]))
    require(both(iter(within)), "the maximum is in the box around")
    falls = everywhere(
        lambda box: compare(value(bend, {**env, x: Interval(*box[0])}), "<", point(0)), around
    )
    require(falls, "the function is concave around the maximum")
    require(compare(value(slope(f, x), {**env, x: best}), "=", point(0)), "the slope is exactly 0")


def rational(text: str) -> Fraction:
    if re.fullmatch(r"-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?", text):
        return Fraction(text)
    if found := re.fullmatch(r"(-?)0x([01])\.([0-9a-f]{1,13})p([+-][0-9]{1,4})", text):
        size = Fraction(int(found[2] + found[3], 16), 16 ** len(found[3]))
        return (-size if found[1] else size) * Fraction(2) ** int(found[4])
    raise Unsound(f"expected a rational such as -3/7; got {text[:60]!a}")


def tuple_of(texts: list[str]) -> tuple[Fraction, Fraction]:
    low, high = map(rational, texts)
    return low, high


def numbers(texts: Any) -> list[Fraction]:
    found = [at(text, {}) for text in texts]
    require(all(x.exact for x in found), "the numbers are rational")
    return [x.low for x in found]


def dot(left: Any, right: Any) -> Any:
    return sum(map(mul, left, right))


def matmul(one: Any, two: Any, p: int | None = None) -> list[list[Any]]:
    columns = list(zip(*two, strict=True))
    found = ([dot(row, column) for column in columns] for row in one)
    return [row if p is None else [x % p for x in row] for row in found]


def feasible(statement: Data, found: list[Fraction]) -> Earned:
    rows, bounds = [numbers(row) for row in statement["rows"]], numbers(statement["bounds"])
    fits = all(dot(row, found) >= bound for row, bound in zip(rows, bounds, strict=True))
    if statement["kind"] == "Minimiser":
        stated = numbers(statement["point"])
        if found == stated:
            require(not fits, "the stated point is infeasible")
            return "refuted", "the stated point is infeasible"
        require(dot(found, found) <= dot(stated, stated), "the other point is no longer")
    require(fits and len(found) == len(rows[0]), "the point is feasible")
    return "refuted", "another point is feasible"


def multipliers(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    require(statement["kind"] in ("Minimiser", "Infeasible"), "multipliers belong to a system")
    rows, bounds = [numbers(row) for row in statement["rows"]], numbers(statement["bounds"])
    weights = [rational(text) for text in item["values"]]
    require(len(weights) == len(rows) and min(weights) >= 0, "each row has a weight, none negative")
    combined = [dot(weights, column) for column in zip(*rows, strict=True)]
    if statement["kind"] == "Infeasible":
        require(not any(combined) and dot(weights, bounds) > 0, "the rows contradict each other")
        return "certified", "Farkas"
    stated = numbers(statement["point"])
    slack = [dot(row, stated) - bound for row, bound in zip(rows, bounds, strict=True)]
    require(combined == stated and min(slack) >= 0 and not any(map(mul, weights, slack)), "KKT")
    return "certified", "KKT"


def eliminate(rows: Any, p: int | None) -> tuple[int, Fraction]:
    """Rank, and determinant of a square matrix, over Q or, of integers, modulo p."""
    rows, rank, determinant = [list(row) for row in rows], 0, Fraction(1)
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((k for k in range(rank, len(rows)) if rows[k][column]), None)
        if pivot is None:
            determinant = Fraction(0)
            continue
        determinant *= rows[pivot][column] * (1 if pivot == rank else -1)
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        top = rows[rank]
        inverse = 1 / top[column] if p is None else pow(top[column], -1, p)
        for k in range(rank + 1, len(rows)):
            if rows[k][column]:
                factor = rows[k][column] * inverse
                rows[k] = [a - factor * b for a, b in zip(rows[k], top, strict=True)]
                rows[k] = rows[k] if p is None else [a % p for a in rows[k]]
        rank += 1
    return rank, determinant if p is None else determinant % p


def prime(p: Any) -> int:
    """By Miller and Rabin, whose test with these bases is exact below 10^24."""
    require(type(p) is int and p > 1, "the modulus is a number")
    require(p < 10**24 or None, "the modulus is small")
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    twos = (p - 1 & 1 - p).bit_length() - 1
    for base in bases:
        powers = [pow(base, (p - 1) >> k, p) for k in range(twos + 1)] if p > 2 else [1]
        passed = powers[-1] == 1 or p - 1 in powers[1:]
        require(base == p or (base % p > 0 and passed), "the modulus is a prime")
    return p


def rank(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    require(statement["kind"] == "Rank", "a rank certificate is about a rank")
    matrix, p = [numbers(row) for row in statement["matrix"]], prime(item["prime"])
    chosen, columns = item["rows"], item["columns"]
    for indices, size in ((chosen, len(matrix)), (columns, len(matrix[0]))):
        growing = all(a < b for a, b in pairwise([-1, *indices, size]))
        require(growing and len(indices) == len(chosen), "the minor is one of the matrix")
    minor = [[matrix[i][j].numerator * pow(matrix[i][j].denominator, -1, p) % p for j in columns]
             for i in chosen]  # fmt: skip
    require(eliminate(minor, p)[0] == len(chosen), "the minor is not 0 modulo p")
    if len(chosen) > statement["value"]:
        return "refuted", f"the rank is at least {len(chosen)}"
    for row, weights in zip(matrix, item["combinations"], strict=True):
        factors = [rational(text) for text in weights]
        require(len(factors) == len(chosen), "each combination has its weights")
        built = [dot(factors, [matrix[i][j] for i in chosen]) for j in range(len(row))]
        require(row == built, "each row is the combination")
    right = len(chosen) == statement["value"]
    return ("certified" if right else "refuted"), f"the rank is {len(chosen)}"


def degree_bounds(text: str, line: dict[str, tuple[int, int]], p: int) -> tuple[int, int]:
    """The degree on a line modulo p, and the degree that counting allows."""

    def bounds(f: Tree) -> tuple[list[int], int]:
        match f:
            case ("number", q) if q.denominator == 1:
                return trim([int(q) % p]), 0
            case ("name", x) if x in line:
                return trim([c % p for c in line[x]]), 1
            case ("add", *terms):
                parts = [bounds(term) for term in terms]
                size = max(len(poly) for poly, _ in parts)
                padded = [poly + [0] * (size - len(poly)) for poly, _ in parts]
                total = [sum(column) % p for column in zip(*padded, strict=True)]
                return trim(total), max(most for _, most in parts)
            case ("mul", *factors):
                parts = [bounds(factor) for factor in factors]
                return reduce(convolve, (q for q, _ in parts)), sum(most for _, most in parts)
            case ("pow", base, ("number", n)) if n.denominator == 1 and 0 <= n <= 1000:
                poly, most = bounds(base)
                require(most * n <= 5000 or None, "the degree is small")
                return reduce(convolve, [poly] * int(n), [1]), most * int(n)
        raise Rejected(f"{f[0]} makes no integer polynomial")

    def convolve(left: list[int], right: list[int]) -> list[int]:
        total = [0] * (len(left) + len(right))
        for i, a in enumerate(left):
            for j, b in enumerate(right):
                total[i + j] = (total[i + j] + a * b) % p
        return trim(total)

    def trim(poly: list[int]) -> list[int]:
        return poly[: max((k + 1 for k, c in enumerate(poly) if c), default=0)]

    least, most = bounds(parse(text))
    return len(least) - 1, most


def degree(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    require(statement["kind"] == "PolynomialDegree", "a degree certificate is about a degree")
    names, p = statement["variables"], prime(item["prime"])
    pairs = zip(item["base"], item["direction"], strict=True)
    line = dict(zip(names, pairs, strict=True))
    least, most = degree_bounds(statement["polynomial"], line, p)
    stated = whole(at(statement["value"], {}))
    if least <= stated <= most:
        require(least == most, f"the degree lies in [{least}, {most}]")
        return "certified", f"the degree is {least}"
    return "refuted", f"the degree lies in [{least}, {most}]"


def spurious(statement: Data, item: Data) -> Earned:
    names, loss = statement["variables"], parse(statement["loss"])
    here, there = ({k: at(v, {}) for k, v in item[key]} for key in ("point", "other"))
    require(set(here) == set(there) == set(names), "both points have all variables")
    require(all(value(slope(loss, x), here) == point(0) for x in names), "the gradient is 0")
    bends = [[value(slope(slope(loss, x), y), here).low for y in names] for x in names]
    for size in range(1, len(names) + 1):
        minor = eliminate([row[:size] for row in bends[:size]], None)[1]
        require(minor > 0, "the Hessian is positive definite")
    require(compare(value(loss, there), "<", value(loss, here)), "the other point is lower")
    return "refuted", f"local minimum {text_of(here)}"


def sequential(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    """Catoni's log e-values: sums - n (scale^2 variance/2 + 2^-40), against log(2/alpha)."""
    same = all(statement.get(key) == item[key] for key in ("observable", "parameters"))
    require(statement["kind"] == "Mean" and same, "the mean of this quantity is tested")
    if env:
        raise Untold("a test at an instance")
    require(not statement.get("over"), "all parameters are fixed")
    alpha, scale = rational(item["alpha"]), rational(item["scale"])
    variance, resolution = numbers([statement["variance"], statement["resolution"]])
    require(0 < alpha <= Fraction(1, 100) and min(variance, resolution) > 0, "levels are sound")
    require(abs(scale * variance - resolution) <= resolution / 2**50, "scale fits the resolution")
    tested, slack = rational(item["value"]), rational(item["tolerance"])
    off = abs(numbers([statement["value"]])[0] - tested)
    require(off <= slack <= resolution / 4, "the stated value was tested")
    drift, bar = scale**2 * variance / 2 + Fraction(1, 2**40), log_at(2 / alpha)
    sums, passed = [Fraction(0)] * 4, [False] * 4
    for number, batch in enumerate(item["batches"]):
        size = batch["count"]
        require(batch["index"] == number and size == item["batch_size"] > 0, "batches are in order")
        sums = list(map(add, sums, (rational(s) - size * drift for s in batch["sums"])))
        passed = [before or s >= bar.high for before, s in zip(passed, sums, strict=True)]
        if any(passed[2:]) or all(passed[:2]):
            break
    if any(passed[2:]):
        return "refuted", f"error probability at most {alpha}"
    return ("confirmed" if all(passed[:2]) else "inconclusive"), f"error at most {alpha}"


def trajectory(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    same = all(statement.get(key) == item[key] for key in ("observable", "parameters"))
    require(statement["kind"] == "Trend" and same, "the trend of this quantity was recorded")
    steps, slack = [k for k, _ in item["values"]], point(rational(item["rounding"]))
    require(len(steps) >= 3 and all(a < b for a, b in pairwise(steps)), "three growing indices")
    budgets = [at(statement["budget"], {statement["index"]: point(k)}) for k in steps]
    require(compare(times(point(2), budgets[-1]), "<=", budgets[0]), "the budget shrinks")
    require(slack.low >= 0, "the rounding bound is not negative")
    for (k, found), budget in zip(item["values"], budgets, strict=True):
        off = absolute(minus(point(rational(found)), at(statement["value"], {})))
        if compare(off, ">", plus(budget, slack)):
            return "refuted", f"outside the budget at {k}"
        require(compare(plus(off, slack), "<=", budget), f"it is within the budget at {k}")
    return "confirmed", f"{len(steps)} values within the budget"


Poly = dict[frozenset[tuple[Tree, int]], Fraction]  # (name or what is no polynomial, power), ...
Table = list[list[Any]]


def expand(f: Tree, env: dict[Any, Any]) -> Poly:
    """A polynomial in names and in functions of them, each of which counts as a name."""
    match f:
        case ("number", q):
            return {frozenset(): q} if q else {}
        case ("name", x) if x in env and env[x].exact:
            return expand(number(env[x].low), env)
        case ("add", *terms):
            return combined([expand(term, env) for term in terms])
        case ("mul", *factors):
            return reduce(multiplied, [expand(factor, env) for factor in factors])
        case ("pow", ("number", q), ("number", n)) if q and n.denominator == 1 and abs(n) <= 1000:
            return expand(number(q ** int(n)), env)
        case ("pow", base, ("number", n)) if n.denominator == 1 and 0 <= n <= 100:
            return reduce(multiplied, [expand(base, env)] * int(n), {frozenset(): Fraction(1)})
        case ("exp", ("add", *terms)):
            return reduce(multiplied, [expand(("exp", term), env) for term in terms])
    return {frozenset([(f, 1)]): Fraction(1)}


def combined(parts: list[Poly]) -> Poly:
    total: Poly = {}
    for key, q in (term for part in parts for term in part.items()):
        total[key] = total.get(key, Fraction(0)) + q
    require(len(total) <= 5000 or None, "the polynomial is small")
    return {key: q for key, q in total.items() if q}


def multiplied(one: Poly, two: Poly) -> Poly:
    def joined(*keys: frozenset[tuple[Tree, int]]) -> frozenset[tuple[Tree, int]]:
        return frozenset(reduce(Counter.__add__, (Counter(dict(key)) for key in keys)).items())

    require(len(one) * len(two) <= 100_000 or None, "the polynomial is small")
    return combined([{joined(a, b): p * q for b, q in two.items()} for a, p in one.items()])


def defined(f: Tree, box: dict[Any, Any]) -> None:
    """Raises unless all is seen to be defined, where names beyond the box may be any reals."""
    match f:
        case ("pow", base, n) if not names_in(n):
            q = value(n, {}).low
            if q < 0 or (q.denominator > 1 and base[0] != "Abs"):
                value(f, box)
            defined(base, box)
        case ("number" | "name", _):
            pass
        case ("add" | "mul" | "exp" | "Abs" | "Max" | "Min" | "floor" | "ceiling", *args):
            for arg in args:
                defined(arg, box)
        case _:
            value(f, box)


def names_in(f: Tree) -> set[str]:
    own = {f[1]} - set(CONSTANTS) if f[0] == "name" else set()
    inner = own.union(*(names_in(part) for part in f if isinstance(part, tuple)))
    return inner - {f[2]} if f[0] in BINDERS else inner


def ranked(statement: Data, low: int, high: int | None, env: dict[Any, Any]) -> Earned:
    """What follows about a rank between two bounds."""
    require(high is None or low <= high, f"the bounds {low} and {high} fit together")
    stated, said = (
        at(statement["value"], env),
        f"the rank is in [{low}, {'oo' if high is None else high}]",
    )
    require(stated.exact or None, "the value is rational")
    near = {low, high, math.floor(stated.low), math.floor(stated.low) + 1} - {None}
    possible = [point(r) for r in near if low <= r and (high is None or r <= high)]
    truths = {compare(r, statement["op"], stated) for r in possible}
    if truths == {True}:
        return "certified", said
    fixed = all(name in env for name, _ in domains(statement))
    require(truths == {False} and fixed, f"it is decided where {said}")
    return "refuted", said


def worlds(statement: Data, env: dict[Any, Any]) -> Iterator[dict[Any, Any]]:
    """Values of the parameters that are left: of integers the first ones."""
    over = [pair for pair in domains(statement) if pair[0] not in env]
    if not over:
        require(assumed(statement, env), "the hypotheses hold")
        yield env
        return
    finite = all(d["integer"] and d["low"] != "-oo" for _, d in over)
    found = cases(over, env, 5) if finite else samples(over, env, 8)
    yield from (here for here in islice(found, 1000) if assumed(statement, here))


def regular(table: Table) -> bool | None:
    """Is the determinant of the intervals seen to differ from 0, or to be 0?"""
    if all(x.exact for row in table for x in row):
        return eliminate([[x.low for x in row] for row in table], None)[1] != 0
    while table:
        top = max(table, key=lambda row: absolute(row[0]).low)
        if absolute(top[0]).low == 0:
            return False if all(row[0] == point(0) for row in table) else None
        ratios = [(row, times(row[0], power(top[0], point(-1)))) for row in table if row is not top]
        table = [[minus(a, times(q, b)) for a, b in list(zip(row, top, strict=True))[1:]]
                 for row, q in ratios]  # fmt: skip
    return True


def nonzero(statement: Data, f: Tree, points: Table, env: dict[Any, Any]) -> bool:
    """Is the determinant one product of parameters that are not 0?"""
    order, given = range(len(points[0])), statement["given"]
    require(len(order) <= 4 or None, "a matrix with parameters is small")
    table = [[expand(f, {**env, **a, **b}) for b in points[1]] for a in points[0]]
    terms = []
    for places in permutations(order):
        odd = sum(one > two for one, two in combinations(places, 2)) % 2
        sign = expand(number(-1 if odd else 1), {})
        terms.append(reduce(multiplied, [table[i][places[i]] for i in order], sign))
    away = {g["lhs"] for g in given if g["rhs"] == "0" and g["op"] in ("!=", "<", ">")}
    away |= {v for v, domain in domains(statement) if inside(point(0), domain, {}) is False}
    found = combined(terms)
    return len(found) == 1 and {x for key in found for x, _ in key} <= {("name", v) for v in away}


def identical(f: Tree, g: Tree, over: Any, statement: Data, env: dict[Any, Any]) -> bool:
    """Are the functions seen to be the same, all values multiplied out or gone through?"""
    if not expand(("add", f, ("mul", number(-1), g)), env):
        return True
    finite = all(d["integer"] and not {d["low"], d["high"]} & {"-oo", "oo"} for _, d in over)
    sure = finite
    for n, here in enumerate(cases(over, env, 0) if finite else samples(over, env, 4)):
        if n >= (20_000 if finite else 200):
            return False
        if (known := assumed(statement, here)) is not False:
            equal = compare(value(f, here), "=", value(g, here))
            require(equal is not False or not known, f"the products add up {text_of(here)}")
            sure = sure and bool(equal)
    return sure


def separation(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    """A determinant of values that is not 0, and factors; with parameters, for all of them."""
    function = statement.get("function", {"kind": ""})
    require(function["kind"] == "Function" and "op" in statement, "the rank of a function")
    f, sides = parse(function["expression"]), (function["left"], function["right"])
    open_names = [pair for pair in domains(statement) if pair[0] not in env]
    over, points = [*open_names, *sides[0], *sides[1]], []
    require(all(type(v) is str for v, _ in over) or None, "no arrays")
    require(len(dict(over)) == len(over), "each variable has one domain")
    pairs = [[*map(parse, pair)] for pair in item["factors"] or ()]
    built = ("add", number(0), *(("mul", *pair) for pair in pairs))
    for k, places in enumerate((item["left"], item["right"])):
        names = [v for v, _ in sides[k]]
        points.append([dict(zip(names, map(point, map(rational, q)), strict=True)) for q in places])
        for (v, domain), place in product(sides[k], points[k]):
            require(inside(place[v], domain, env), f"{v} lies in its domain")
        apart = all(names_in(p[k]) <= {*names, *(v for v, _ in open_names)} for p in pairs)
        require(apart, "each factor is a function of its side")
    size = len(points[0])
    require(size == len(points[1]), "the matrix of values is square")
    require(size <= 64 or None, "the matrix is small")
    for here in islice(worlds(statement, env), 64):
        table = [[value(f, {**here, **a, **b}) for b in points[1]] for a in points[0]]
        require(regular(table), "the values are independent")
    sure = not (open_names and size) or nonzero(statement, f, points, env)
    if item["factors"] is not None:
        sure = identical(f, built, over, statement, env) and sure
    box = {v: Interval(at(d["low"], env).low, at(d["high"], env).high) for v, d in over
           if not {d["low"], d["high"]} & {"oo", "-oo"}}  # fmt: skip
    for g in (f, built):
        defined(g, {**env, **box})
    found = ranked(statement, size, None if item["factors"] is None else len(pairs), env)
    require(sure or None, "it holds for all values of the variables")
    return found


def sizes(net: Data, env: dict[Any, Any]) -> tuple[dict[str, int], int]:
    """The sizes of a network, and the largest degree in its right side."""
    require(net["kind"] in ("Attention", "Hadamard"), "the rank of a network")
    names = ("depth width inputs degree", "layers width tokens degree heads")
    attention = net["kind"] == "Attention"
    found = {name: whole(at(net[name], env)) for name in names[attention].split()}
    depth, width, _, degree, *heads = found.values()
    require(min(found.values()) > 0, "all sizes are positive")
    require((max(found.values()) <= 200 and depth <= 8) or None, "the network is small")
    require(degree**depth <= 400 or None, "the degree is small")
    require(degree % 2 == 1 or not attention, "the degree of attention is odd")
    require((degree > 1 and heads <= [width]) or None, "each head has some width")
    return found, (degree**depth - 1) // 2 if attention else degree**depth


def partitions(n: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
    for first in range(-(-n // parts), min(n, largest) + 1) if n and parts else ():
        yield from ((first, *rest) for rest in partitions(n - first, parts - 1, first))


def tableaux(shape: tuple[int, ...], width: int) -> int:
    """How many semistandard ones there are with entries to `width`: contents and hooks."""
    cells = [(i, j) for i, row in enumerate(shape) for j in range(row)]
    columns = [sum(row > j for row in shape) for j in range(max(shape, default=0))]
    hooks = math.prod(shape[i] - j + columns[j] - i - 1 for i, j in cells)
    return math.prod(width + j - i for i, j in cells) // hooks


@lru_cache(1 << 12)
def gram(k: int, width: int, tokens: int) -> tuple[int, int]:
    """Dimensions of x_i p(G) and of p(G) for p of degree k, G the Gram matrix of tokens, x one."""
    if tokens >= width:
        found = math.comb(width * (width + 1) // 2 + k - 1, k)
        return width * found, found
    shapes = [list(islice(partitions(n, tokens, n), 2000)) for n in (2 * k + 1, k)]
    require((len(shapes[0]) < 2000 and k * len(shapes[0]) < 50_000) or None, "the shapes are few")
    odd = [shape for shape in shapes[0] if sum(row % 2 for row in shape) == 1]
    even = [tuple(2 * row for row in shape) for shape in shapes[1]]
    return sum(tableaux(s, width) for s in odd), sum(tableaux(s, width) for s in even)


def counted(net: Data, env: dict[Any, Any]) -> list[int]:
    """For each degree in the right side, a bound of the rank of that part."""
    size, top = sizes(net, env)
    if net["kind"] == "Attention":
        spaces = [gram(k, size["width"], size["tokens"]) for k in range(top + 1)]
        return [min(spaces[top - k][0], spaces[k][1]) for k in range(top + 1)]
    forms = size["width"] * size["degree"]  # of the first layer
    last = min(size["inputs"], forms) - 1
    found = [math.comb(min(k, top - k) + last, last) for k in range(top + 1)]
    each = [size["width"] * math.comb(top, k) for k in range(top + 1)]  # of one layer
    return found if size["depth"] > 1 else list(map(min, found, each))


def shapes(net: Data, size: dict[str, int]) -> list[tuple[int, int]]:
    """Of the matrices, in the order of the weights."""
    width = size["width"]
    if net["kind"] == "Attention":
        inner = width // size["heads"]
        count = size["layers"] * size["heads"] * (size["degree"] - 1)
        return [(width, inner), (inner, width)] * count
    later = [(width, width)] * (size["degree"] * (size["depth"] - 1))
    return [*[(width, 2 * size["inputs"])] * size["degree"], *later, (1, width)]


def output(kind: str, size: dict[str, int], matrices: list[Table], x: list[int], p: int) -> int:
    """The output as it is defined, modulo p."""
    degree, width = size["degree"], size["width"]
    if kind == "Hadamard":
        for start in range(0, len(matrices) - 1, degree):
            images = [[dot(row, x) % p for row in m] for m in matrices[start : start + degree]]
            x = [math.prod(column) % p for column in zip(*images, strict=True)]
        return dot(matrices[-1][0], x) % p
    tokens = [x[start : start + width] for start in range(0, len(x), width)]
    chain = iter(matrices)
    for layer in range(size["layers"]):
        square = matmul(zip(*tokens, strict=True), tokens, p)
        tokens, new = tokens[: 1 if layer + 1 == size["layers"] else None], []
        for _ in range(size["heads"]):
            head = tokens
            for place in range(degree - 1):
                head = matmul(head, next(chain), p)
                head = head if place % 2 else matmul(head, square, p)
            new.append(head)
        tokens = [[sum(entries) for entries in zip(*rows, strict=True)]
                  for rows in zip(*new, strict=True)]  # fmt: skip
    return tokens[0][0] % p


def basis(nodes: list[int], p: int) -> list[list[int]]:
    """Coefficients of the polynomials that are 1 at one node and 0 at the others."""
    found = []
    for node in nodes:
        poly, below = [1], 1
        for other in nodes:
            if other != node:
                poly = [(a - other * b) % p for a, b in zip([0, *poly], [*poly, 0], strict=True)]
                below = below * (node - other) % p
        found.append([c * pow(below, -1, p) % p for c in poly])
    return found


def parts(
    net: Data, env: dict[Any, Any], weights: list[int], sides: list[list[list[int]]], p: int,
    steps: int = STEPS,
) -> list[Table]:  # fmt: skip
    """The values of the part of each degree in the right side, which is scaled by 0, 1, ..."""
    (size, top), kind = sizes(net, env), net["kind"]
    require(p > 2 * top or None, "the scales differ modulo p")
    made, (left, right), attention = shapes(net, size), sides, kind == "Attention"
    long = size["tokens"] * size["width"] if attention else size["inputs"]
    plain = all(type(c) is int for row in (weights, *left, *right) for c in row)
    require(plain and len(weights) == sum(map(math.prod, made)), "all weights are there")
    require(all(len(place) == long for place in (*left, *right)), "all coordinates are there")
    each = 3 * len(made) * size["width"] * long if attention else 3 * sum(map(math.prod, made))
    cost = (top + 1) * len(left) * len(right) * (each + top + len(left)) + top**3
    require(cost <= steps or None, "the computation is short")
    entries, scales = iter(weights), range(top + 1)
    matrices = [[[next(entries) for _ in range(b)] for _ in range(a)] for a, b in made]
    if attention:
        matrices = [matmul(u, v, p) for u, v in zip(matrices[::2], matrices[1::2], strict=True)]
    found = [[[output(kind, size, matrices, [*a, *(s * c for c in b)], p) for s in scales]
              for b in right] for a in left]  # fmt: skip
    factors = list(zip(*basis([s**2 if attention else s for s in scales], p), strict=True))
    return [[[dot(cell, row) % p for cell in line] for line in found] for row in factors]


def network(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    require(statement["kind"] == "SeparationRank", "the rank of a network")
    net, blocks, sides = statement["function"], item["blocks"], [item["left"], item["right"]]
    bounds, weights = counted(net, env), net["weights"] or item["weights"]
    require(item["weights"] in ([], weights), "the weights are those of the network")
    require(all(name in env for name, _ in domains(statement)), "all sizes are fixed")
    require(assumed(statement, env), "the hypotheses hold")
    if any(blocks):
        p, most = prime(item["prime"]), max(blocks)
        require(min(blocks) >= 0 and len(blocks) == len(bounds), "each degree has a block")
        require(most <= min(map(len, sides)), "there are points for each block")
        found = parts(net, env, weights, [side[:most] for side in sides], p)
        for n, part in zip(blocks, found, strict=True):
            require(eliminate([row[:n] for row in part[:n]], p)[0] == n, "each block is invertible")
    low, high = sum(blocks), sum(bounds)
    try:
        return ranked(statement, low, high, env)
    except Rejected:
        if net["weights"] and net["kind"] == "Attention" and low < high:
            raise Untold("a bound for these weights") from None
        raise


def sampled(net: Data, env: dict[Any, Any]) -> tuple[int, int | None]:
    """Bounds of a rank: below by values at some points, for random weights if there are none."""
    if net["kind"] == "Function":
        left, right = (list(islice(samples(domains({"over": net[side]}), env, 6), 12))
                       for side in ("left", "right"))  # fmt: skip
        table = [[at(net["expression"], {**a, **b}) for b in right] for a in left]
        require(all(x.exact for row in table for x in row) or None, "the values are rational")
        return eliminate([[x.low for x in row] for row in table], None)[0], None
    bounds, (size, _), p, chance = counted(net, env), sizes(net, env), 2**31 - 1, random.Random(0)
    long, count = size.get("inputs"), sum(map(math.prod, shapes(net, size)))
    lengths = [long or size["tokens"] * size["width"]] * max(bounds)
    require(max(*lengths, len(lengths), count) <= 5000 or None, "the network is small")
    drawn = [[[chance.randrange(p) for _ in range(n)] for n in side]
             for side in (lengths, lengths, [count])]  # fmt: skip
    found = parts(net, env, net["weights"] or drawn[2][0], drawn[:2], p, STEPS // 128)
    return sum(eliminate(part, p)[0] for part in found), sum(bounds)


def separated(statement: Data) -> tuple[int, str]:
    """The attack on a rank."""
    tried = 0
    try:
        for here in islice(worlds(statement, {}), POINTS):
            try:
                low, high = sampled(statement["function"], here)
                tried += 1
                if ranked(statement, low, high, here)[0] == "refuted":
                    return tried, f"false {text_of(here)}: the rank is at least {low}"
            except (Untold, Rejected):
                continue
    except (Untold, Rejected):
        pass
    return tried, ""


def outgrown(statement: Data) -> bool:
    """Does the count of degrees exceed a bound that is said to follow from it?"""
    require(statement["op"] in ("<", "<="), "degrees bound above")
    try:
        for here in islice(worlds(statement, {}), POINTS):
            bound = point(sum(counted(statement["function"], here)))
            if compare(bound, statement["op"], at(statement["value"], here)) is False:
                return True
    except Untold:
        pass
    return False


def moment(domain: Data, law: str, n: int) -> Fraction:
    ends = domain["low"], domain["high"]
    if law == "normal":
        require(ends == ("-oo", "oo") and not domain["integer"], "a normal variable is any real")
        return Fraction(0 if n % 2 else math.prod(range(1, n, 2)))
    require(law == "uniform" and not {"-oo", "oo"} & {*ends}, "a uniform variable is bounded")
    if domain["integer"]:
        values = [here["x"].low for here in cases([("x", domain)], {}, 0)]
        return sum(q**n for q in values) / Fraction(len(values))
    low, high = numbers(ends)
    require(low < high, "a uniform variable has room")
    return (high ** (n + 1) - low ** (n + 1)) / ((n + 1) * (high - low))


def mean_product(law: str, side: list[Data], monomials: list[dict[Tree, int]]) -> Fraction:
    totals = [(d, sum(m.get(("name", v), 0) for m in monomials)) for v, d in side]
    return math.prod((moment(d, law, n) for d, n in totals), start=Fraction(1))


def spectrum(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    """The squares of the singular values are roots of a polynomial that has real roots alone, so
    that Descartes' rule counts those above a number."""
    require(statement["kind"] == "EpsilonRank", "an epsilon-rank")
    require(0 < item["precision"] <= 4096, "the precision is one")
    terms, sides = expand(parse(statement["function"]["expression"]), {}), []
    for side in (statement["function"]["left"], statement["function"]["right"]):
        own = {("name", v) for v, _ in side}
        split = {key: frozenset(factor for factor in key if factor[0] in own) for key in terms}
        rows = [dict(row) for row in dict.fromkeys(split.values())]
        require(len(rows) <= 16 or None, "there are few monomials")
        means = [[mean_product(statement["law"], side, [a, b]) for b in rows] for a in rows]
        sides.append((split, list(dict.fromkeys(split.values())), means))
    (left, rows, ours), (right, columns, theirs) = sides
    require(all(key == left[key] | right[key] for key in terms) or None, "a polynomial")
    places = {(left[key], right[key]): q for key, q in terms.items()}
    table = [[places.get((a, b), Fraction(0)) for b in columns] for a in rows]
    turned = [list(column) for column in zip(*table, strict=True)]
    matrix = reduce(matmul, (table, theirs, turned, ours))
    epsilon, stated = numbers([statement["epsilon"], statement["value"]])
    require(epsilon >= 0, "epsilon is not negative")
    size, poly = len(matrix), characteristic(matrix)
    require(size > 0 or None, "the polynomial is not 0")
    if stated.denominator > 1 or not 0 <= stated <= size:
        return "refuted", f"there are {size} singular values"
    tails = [point(-poly[1])]  # the trace, less the largest ones
    for k in range(int(stated)):
        rest = minus(tails[-1], root(poly, k + 1, -poly[1]))
        tails.append(rest if above(poly, Fraction(0))[0] > k + 1 else point(0))
    fewer, enough = (compare(tail, "<=", point(epsilon)) for tail in (tails[-2:] * 2)[-2:])
    truth = both(iter([enough, opposite(fewer) if stated else True]))
    require(None if truth is None else True, "the tail is decided")
    return ("certified" if truth else "refuted"), f"{stated} products"


def characteristic(matrix: Table) -> list[Fraction]:
    """Its coefficients from the highest on, by Faddeev and LeVerrier."""
    size, found = len(matrix), [Fraction(1)]
    power_of = [[Fraction(0)] * size for _ in matrix]
    for k in range(1, size + 1):
        power_of = [[x + found[-1] * (i == j) for j, x in enumerate(row)]
                    for i, row in enumerate(power_of)]  # fmt: skip
        power_of = matmul(matrix, power_of)
        found.append(sum((-power_of[i][i] for i in range(size)), Fraction(0)) / k)
    return found


def above(poly: list[Fraction], q: Fraction) -> tuple[int, int]:
    """How many roots are greater than q, and not less than it: signs of the coefficients at q."""
    shifted, row = [], poly
    while row:
        row = list(accumulate(row, lambda total, c: total * q + c))
        shifted.append(row.pop())
    kept = [c > 0 for c in shifted if c]
    greater = sum(map(bool.__ne__, kept, kept[1:]))
    return greater, greater + next(n for n, c in enumerate(shifted) if c)


def root(poly: list[Fraction], k: int, high: Fraction) -> Interval:
    """The k-th largest of the roots, which lie between 0 and `high`."""
    low = Fraction(0)
    if above(poly, low)[0] < k:
        return point(0)
    for _ in range(128):
        middle = (low + high) / 2
        low, high = (middle, high) if above(poly, middle)[0] >= k else (low, middle)
    greater, least = above(poly, guess := high.limit_denominator(10**15))
    return point(guess) if greater < k <= least else Interval(low, high)


JUDGES = {
    "Counterexample": counterexample, "Enumeration": enumeration, "Enclosure": enclosure,
    "Multipliers": multipliers, "RankCertificate": rank, "DegreeCertificate": degree,
    "SequentialTest": sequential, "Trajectory": trajectory, "Spectrum": spectrum,
    "SeparationCertificate": separation, "NetworkCertificate": network,
}  # fmt: skip
OUTCOMES = frozenset((*SUPPORT, "refuted", "inconclusive", "rejected"))


class Opinion(NamedTuple):
    """The outcomes that a piece of evidence can have earned, and whether that was told."""

    outcomes: frozenset[str]
    told: bool
    note: str


Run = dict[str, Data]  # the records so far, by claim


def opine(statement: Data, item: Data, env: dict[Any, Any], uses: Run) -> Opinion:
    kind = item["kind"]
    try:
        if kind == "Part":
            known = statement["kind"] == "Every" and 0 <= item["index"] < len(statement["parts"])
            require(known, "the statement has this part")
            return opine(statement["parts"][item["index"]], item["evidence"], env, uses)
        if kind == "Instance":
            return instance(statement, item, env, uses)
        if kind == "Derivation":
            return derivation(statement, item, env, uses)
        if kind == "Trap":
            return trap(statement, item["derivation"], env, uses)
        outcome, note = JUDGES[kind](statement, item, env)
        return Opinion(frozenset([outcome]), True, f"{kind}: {note}")
    except Unsound:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        problem = f"malformed: {type(error).__name__} {str(error)[:80]}"
        return Opinion(frozenset(["rejected"]), True, f"{kind}: {problem}")
    except Rejected as error:
        return Opinion(frozenset(["rejected"]), True, f"{kind}: not so that {error}")
    except Untold as error:
        return Opinion(OUTCOMES, False, f"{kind}: {error}")


def instance(statement: Data, item: Data, env: dict[Any, Any], uses: Run) -> Opinion:
    known = ("Relation", "Maximum", "Mean", "SeparationRank")
    require(statement["kind"] in known, "the statement has instances")
    here, known = dict(env), dict(domains({**statement, "variable": "", "domain": {}}))
    for name, text in item["point"]:
        require(name in known, f"{name} is a variable")
        here[name] = at(text, {})
    for name, _ in item["point"]:
        require(inside(here[name], known[name], here), f"{name} lies in its domain")
    inner = opine(statement, item["evidence"], here, uses)
    weaker = frozenset("confirmed" if o in SUPPORT else o for o in inner.outcomes)
    return Opinion(weaker, inner.told, f"Instance {inner.note}")


def derivation(statement: Data, item: Data, env: dict[Any, Any], uses: Run) -> Opinion:
    if env:
        raise Untold("a derivation about an instance")
    lines, outcome, tried, silent = item["lines"], "proved", 0, 0
    require(bool(lines) and lines[-1]["statement"] == statement, "it ends at the statement")
    for n, line in enumerate(lines, 1):
        above = all(type(k) is int and 0 < k < n for k in line["using"])
        require(above and type(line["rule"]) is str, f"line {n} uses lines above it")
        if line["rule"] == "claim":
            name = dict(line["args"])["name"]["text"]
            cited = uses.get(name, {"statement": None, "verdict": {"outcome": "not cited before"}})
            earned = cited["verdict"]["outcome"]
            require(earned in SUPPORT[:2], f"line {n} cites what holds ({name} is {earned})")
            require(cited["statement"] == line["statement"], f"line {n} says what {name} says")
            outcome = "certified" if earned == "certified" else outcome
        if line["rule"] == "graded":
            require(not outgrown(line["statement"]), f"line {n} counts the degrees")
        points, failure = attack(json.dumps(line["statement"]))
        require(not failure, f"line {n} holds: it is {failure}")
        tried, silent = tried + points, silent + (points == 0)
    words = f"{len(lines)} lines, none fails at {tried} points"
    words += f", {silent} not evaluated" if silent else ""
    return Opinion(
        frozenset([outcome, "rejected"]), True, f"derivation: {words} (not a proof check)"
    )


def trap(statement: Data, item: Data, env: dict[Any, Any], uses: Run) -> Opinion:
    """A derivation of the opposite, always or eventually, speaks against the orbit."""
    last = item["lines"][-1]["statement"]
    require(statement["kind"] == last["kind"] == "Orbit", "an orbit is trapped")
    against = {**statement["holds"], "op": OPPOSITE[statement["holds"]["op"]]}
    wanted = {**statement, "holds": against, "eventually": last["eventually"]}
    require(not statement["over"] and last == wanted, "it ends at the opposite")
    inner = derivation(last, item, env, uses)
    return Opinion(frozenset(["refuted", "rejected"]), inner.told, f"trap: {inner.note}")


def combine(statement: Data, marks: list[tuple[tuple[int, ...], str]]) -> str:
    """The verdict from the outcomes of evidence, each with the part of an Every it is about."""
    earned = {outcome for path, outcome in marks if not path}
    if statement["kind"] == "Every":
        parts = [combine(part, [(path[1:], outcome) for path, outcome in marks if path[:1] == (k,)])
                 for k, part in enumerate(statement["parts"])]  # fmt: skip
        earned |= {outcome for outcome in parts if outcome in ("refuted", "conflict")}
        if parts and all(outcome in SUPPORT for outcome in parts):
            earned.add(max(parts, key=SUPPORT.index))
    if "in part" in earned and "refuted" not in earned:
        earned.add("confirmed")
    support = [outcome for outcome in SUPPORT if outcome in earned]
    if "conflict" in earned or ("refuted" in earned and support):
        return "conflict"
    return "refuted" if "refuted" in earned else support[0] if support else "inconclusive"


def path_of(item: Data) -> tuple[int, ...]:
    return (item["index"], *path_of(item["evidence"])) if item["kind"] == "Part" else ()


def weight(item: Data, found: str) -> str:
    """Agreement at some points only is no support against a failure at another."""
    while item["kind"] == "Part":
        item = item["evidence"]
    partial = item["kind"] in ("Instance", "Enclosure", "Enumeration")
    return "in part" if found == "confirmed" and partial else found


def second(entry: Data, uses: Run, alpha: Fraction) -> tuple[str, str]:
    """agrees, disagrees or no opinion on one verdict, and why."""
    statement, evidence, verdict = entry["statement"], entry["evidence"], entry["verdict"]
    outcome, findings = verdict["outcome"], [f["outcome"] for f in verdict["findings"]]
    if [f["evidence"] for f in verdict["findings"]] == ["Statement"] and outcome == "inconclusive":
        return "no opinion", "the statement itself was turned away"
    if len(findings) != len(evidence):
        return "disagrees", f"{len(evidence)} pieces of evidence have {len(findings)} findings"
    if sum(map(spent, evidence)) > alpha:
        return "disagrees", f"the tests may err with more than {alpha}"
    opinions = [opine(statement, item, {}, uses) for item in evidence]
    paths = [path_of(item) for item in evidence]
    for n, (found, opinion) in enumerate(zip(findings, opinions, strict=True)):
        if found not in opinion.outcomes:
            return "disagrees", f"evidence[{n}] is recorded as {found}; {opinion.note}"
    weights = [weight(item, found) for item, found in zip(evidence, findings, strict=True)]
    if (due := combine(statement, list(zip(paths, weights, strict=True)))) != outcome:
        return "disagrees", f"recorded as {outcome}; the findings make it {due}"
    if not set(verdict["uses"]) <= set(uses):
        return "disagrees", f"it uses {verdict['uses']}; the claim may use {sorted(uses)}"
    if outcome in SUPPORT and (failure := attack(json.dumps(statement))[1]):
        return "disagrees", f"recorded as {outcome}; the statement is {failure}"
    told = [(p, w) for p, w, o in zip(paths, weights, opinions, strict=True) if o.told]
    sure = combine(statement, told) == outcome
    marks = zip(findings, opinions, strict=True)
    notes = [o.note for found, o in marks if o.told == sure and (found == outcome or not sure)]
    word = "agrees" if sure else "no opinion"
    return word, f"{outcome}; {'; '.join(notes[:2]) or 'no evidence decides'}"


def spent(item: Data) -> Fraction:
    if item["kind"] in ("Part", "Instance"):
        return spent(item["evidence"])
    return rational(item["alpha"]) if item["kind"] == "SequentialTest" else Fraction(0)


def canonical(data: Data) -> str:
    """SHA-256 of the JSON text with sorted keys and no spaces."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def unique(pairs: list[tuple[str, Data]]) -> dict[str, Data]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return dict(pairs)


def finite(text: str) -> float:
    if not math.isfinite(found := float(text)):
        raise ValueError(f"{text[:20]} is not finite")
    return found


def fields(data: Data, names: str, where: str) -> None:
    if type(data) is not dict or set(data) != set(names.split()):
        odd = sorted(set(data) ^ set(names.split())) if type(data) is dict else type(data).__name__
        raise Unsound(f"{where}: expected the fields {names[:40]}...; differs in {str(odd)[:80]}")


def depth(data: Data) -> int:
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return 1 + max(map(depth, inner), default=0)


def read(path: Path, names: str) -> dict[str, Data]:
    """A sealed file of the run."""
    try:
        if not path.is_file() or path.stat().st_size > 1 << 28:
            raise ValueError("no such file, or a very large one")
        options = {"object_pairs_hook": unique, "parse_float": finite, "parse_constant": finite}
        data = json.loads(path.read_bytes().decode(), **options)
        if depth(data) > 101:
            raise ValueError("nested too deeply")
        fields(data, names, str(path))
        made = canonical({key: data[key] for key in data if key != "digest"})
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, Unsound):
            raise
        raise Unsound(f"{path}: expected a JSON record; {str(error)[:160]}") from None
    for key, wanted in (("schema", SCHEMA), ("digest", made)):
        if data[key] != wanted:
            raise Unsound(f"{path}: {key}: expected {wanted}; got {str(data[key])[:80]!a}")
    return data


def read_claim(folder: Path, name: str, header: Data, seen: Run) -> tuple[Data, Run]:
    path = folder / "claims" / f"{name}.json"
    record = read(path, RECORD)
    alpha = rational(header["settings"]["alpha"]) / header["shares"]
    wanted = {
        "id": name,
        "run": header["digest"],
        "statement_hash": canonical(record["statement"]),
        "settings": {**header["settings"], "device": header["environment"]["device"],
                     "alpha": str(alpha)},
    }  # fmt: skip
    for key, due in wanted.items():
        if record[key] != due:
            raise Unsound(f"{path}: {key}: expected {due}; got {str(record[key])[:80]!a}")
    if (record["mutants"] is not None) != header["mutants"]:
        raise Unsound(f"{path}: mutants: expected them where run.json says so")
    for number, entry in enumerate([record, *(record["mutants"] or ())]):
        fields(entry, MUTANT if number else RECORD, f"{path}: mutants[{number - 1}]")
        fields(entry["verdict"], VERDICT, f"{path}: verdict")
    for used in record["uses"]:
        if used not in seen:
            raise Unsound(f"{path}: uses: expected claims that stand before it; got {used[:80]!a}")
    return record, {used: seen[used] for used in record["uses"]}


def claim_lines(folder: Path, name: str, header: Data, seen: Run) -> Iterator[tuple[str, str, str]]:
    """Name, word and reason: of a claim, then of its mutants."""
    label = name
    try:
        record, uses = read_claim(folder, name, header, seen)
        alpha = rational(record["settings"]["alpha"])
        for entry in (record, *(record["mutants"] or ())):
            label = name if entry is record else f"{name} / {entry['name']}"
            yield (label, *second(entry, uses, alpha))
        seen[name] = record
    except Unsound as error:
        yield label, "disagrees", str(error)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        problem = f"{type(error).__name__} {str(error)[:80]}"
        yield label, "disagrees", f"{folder / 'claims' / name}.json: malformed: {problem}"
    except (RecursionError, MemoryError):
        yield label, "disagrees", f"{folder / 'claims' / name}.json: too deep or too large"


def opinions(folder: Path) -> Iterator[tuple[str, str, str]]:
    header = read(folder / "run.json", HEADER)
    selection = header["selection"]
    valid = all(type(n) is str and re.fullmatch(r"[a-z0-9-]+\.[a-z0-9-]+", n) for n in selection)
    if not valid or len(set(selection)) < len(selection):
        raise Unsound(f"{folder / 'run.json'}: selection: expected ids of claims, each once")
    names = {path.name for path in (folder / "claims").iterdir()}
    for stray in sorted(names - {f"{name}.json" for name in selection}):
        if not (stray.startswith(".") and stray.endswith(".tmp")):
            yield f"claims/{stray}"[:80], "disagrees", "no claim of the run has this file"
    seen: Run = {}
    for name in selection:
        yield from claim_lines(folder, name, header, seen)


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0: nothing disagrees; 1: something does; 2: no run can be read."""
    parser = argparse.ArgumentParser(prog="second_opinion", description="A second opinion on a run")
    parser.add_argument("run", type=Path, help="a run folder")
    counts = {"agrees": 0, "no opinion": 0, "disagrees": 0}
    try:
        for name, word, why in opinions(parser.parse_args(arguments).run):
            counts[word] += 1
            print(f"{name}: {word}: {why}")
    except (Unsound, OSError, LookupError, TypeError, ValueError, ArithmeticError) as error:
        print(f"second_opinion: {str(error) or type(error).__name__}", file=sys.stderr)
        return 2
    print(f"{sum(counts.values())} verdicts of claims and mutants: {counts['agrees']} agrees, "
          f"{counts['disagrees']} disagrees, {counts['no opinion']} no opinion.")  # fmt: skip
    return 1 if counts["disagrees"] else 0


if __name__ == "__main__":
    sys.exit(main())
