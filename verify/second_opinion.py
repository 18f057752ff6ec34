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
import re
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, lru_cache, reduce
from itertools import combinations, islice, pairwise, product
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
    require(all(law == "sign" for _, law in laws), "all are signs")
    event = isinstance(quantity, dict)
    sides = [quantity["lhs"], quantity["rhs"]] if event else [quantity]
    arrays = [name["array"] for name, _ in laws if isinstance(name, dict)]
    places = set().union(*(entries(parse(side), env) for side in sides)) if arrays else set()
    require(all(place[0] in arrays for place in places), "each entry is one of a law")
    names = [*(name for name, _ in laws if isinstance(name, str)), *sorted(places)]
    require(len(names) <= 16, "few signs")
    total = point(0)
    for choice in product((-1, 1), repeat=len(names)):
        here = {**env, **dict(zip(names, map(point, choice), strict=True))}
        if event:
            truth = holds(quantity, here)
            require(None if truth is None else True, "each case is decided")
            total = plus(total, point(bool(truth)))
        else:
            total = plus(total, at(quantity, here))
    mean = times(total, point(Fraction(1, 2 ** len(names))))
    equal = compare(mean, "=", at(statement["value"], env))
    if equal is False:
        return "refuted", f"the mean is {mean.low}"
    require(equal, "the mean is decided")
    require(item["cases"] == 2 ** len(names), "the number of cases is right")
    return "certified", f"{2 ** len(names)} cases"


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


def dot(left: Any, right: Any) -> Fraction:
    return sum(map(mul, left, right), start=Fraction(0))


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


def eliminate(rows: list[list[Fraction]], p: int | None) -> tuple[int, Fraction]:
    """Rank, and determinant of a square matrix, over Q or modulo p."""
    rows, rank, determinant = [list(row) for row in rows], 0, Fraction(1)
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((k for k in range(rank, len(rows)) if rows[k][column]), None)
        if pivot is None:
            determinant = Fraction(0)
            continue
        determinant *= rows[pivot][column] * (1 if pivot == rank else -1)
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        top = rows[rank]
        inverse = 1 / top[column] if p is None else Fraction(pow(int(top[column]), -1, p))
        for k in range(rank + 1, len(rows)):
            factor = rows[k][column] * inverse
            rows[k] = [a - factor * b for a, b in zip(rows[k], top, strict=True)]
            rows[k] = rows[k] if p is None else [a % p for a in rows[k]]
        rank += 1
    return rank, determinant


def rank(statement: Data, item: Data, env: dict[Any, Any]) -> Earned:
    require(statement["kind"] == "Rank", "a rank certificate is about a rank")
    matrix, p = [numbers(row) for row in statement["matrix"]], item["prime"]
    chosen, columns = item["rows"], item["columns"]
    require(p == 2 or pow(2, p - 1, p) == 1, "the modulus is a prime")
    for indices, size in ((chosen, len(matrix)), (columns, len(matrix[0]))):
        growing = all(a < b for a, b in pairwise([-1, *indices, size]))
        require(growing and len(indices) == len(chosen), "the minor is one of the matrix")
    minor = [[Fraction(matrix[i][j].numerator * pow(matrix[i][j].denominator, -1, p) % p)
              for j in columns] for i in chosen]  # fmt: skip
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
    names, p = statement["variables"], item["prime"]
    require(p == 2 or pow(2, p - 1, p) == 1, "the modulus is a prime")
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


JUDGES = {
    "Counterexample": counterexample, "Enumeration": enumeration, "Enclosure": enclosure,
    "Multipliers": multipliers, "RankCertificate": rank, "DegreeCertificate": degree,
    "SequentialTest": sequential, "Trajectory": trajectory,
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
    require(statement["kind"] in ("Relation", "Maximum", "Mean"), "the statement has instances")
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
