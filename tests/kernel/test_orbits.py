"""Orbits: which are admitted, invariant regions, first iterates, counterexamples and traps."""

import re
from dataclasses import replace

import pytest
from sympy import (
    Derivative,
    IndexedBase,
    Integer,
    Integral,
    Rational,
    Sum,
    cos,
    exp,
    floor,
    log,
    sqrt,
    symbols,
)

from lemmata.symbolic.derivation import Derivation, Line
from lemmata.symbolic.statements import (
    REALS,
    Every,
    Orbit,
    Relation,
    above,
    integers,
)
from lemmata.verify.kernel import check
from lemmata.verify.kernel.derivations import ALL
from lemmata.verify.kernel.evidence import (
    Counterexample,
    Enclosure,
    Enumeration,
    Instance,
    Part,
    Trap,
)
from lemmata.verify.kernel.instances import counterexample
from lemmata.verify.kernel.orbits import ITERATES, OPPOSITE, iterates

x, y, n, t, k = symbols("x y n t k")
s = IndexedBase("s")
ZERO, ONE, TWO, THREE = map(Integer, range(4))
HALF = Rational(1, 2)


def rel(lhs, op, rhs, over=(), given=()):
    left, right = (Integer(side) if isinstance(side, int) else side for side in (lhs, rhs))
    return Relation(left, op, right, over, given)


def orbit(step, start, holds, eventually=False, over=()):
    """Of one variable x, or of the pair x, y."""
    steps, starts = (side if isinstance(side, tuple) else (side,) for side in (step, start))
    names = (x, y)[: len(steps)]
    whole = [tuple(zip(names, map(Integer(0).__add__, side), strict=True)) for side in
             (steps, starts)]  # fmt: skip
    return Orbit(*whole, holds, eventually, over)


POSITIVE, NEGATIVE = rel(x, ">", 0), rel(x, "<", 0)
HALVING = orbit(x / 2, 1, POSITIVE)


def premises(conclusion, region, *, over=None):
    """What `invariant` needs, as stated: the conclusion and each condition after a step."""
    names = tuple((v, REALS) for v, _ in conclusion.step)
    over = (*conclusion.over, *names) if over is None else over
    image = dict(conclusion.step)
    after = (rel(r.lhs.xreplace(image), r.op, r.rhs.xreplace(image), over, region) for r in region)
    return (replace(conclusion.holds, over=over, given=region), *after)


def invariant(conclusion, region, *, using=None, **args):
    using = premises(conclusion, region) if using is None else using
    return ALL["invariant"](conclusion, using, args)


PAIR = orbit((x / 2, x + y), (1, 0), rel(y, ">=", -1))
SAVED = (POSITIVE, rel(y, ">=", 0))
GROWING = orbit(x + 1, -2, rel(x, ">", 0), True)
ACCEPTED = {
    "always positive": (HALVING, (POSITIVE,), {}),
    "two variables and conditions": (PAIR, SAVED, {}),
    "true everywhere": (orbit(x / 2, 1, rel(x**2, ">=", 0)), (), {}),
    "for all parameters": (
        orbit(x / n, n, POSITIVE, over=((n, above(0)),)), (POSITIVE,), {},
    ),
    "a condition on a parameter": (
        orbit(x * n, 1, POSITIVE, over=((n, above(1)),)), (POSITIVE, rel(n, ">", 0)), {},
    ),
    "eventually, since always": (replace(HALVING, eventually=True), (POSITIVE,), {}),
    "eventually, after three steps": (GROWING, (POSITIVE,), {"after": THREE}),
    "always, the first three one by one": (
        orbit(x + 1, -2, rel(x, ">", -3)), (POSITIVE,), {"after": THREE},
    ),
    "differs": (orbit(x + 1, -2, rel(x, "!=", HALF)), (rel(x, ">", 1),), {"after": Integer(4)}),
    "irrational steps": (orbit(exp(-x), 1, POSITIVE), (POSITIVE,), {"after": ONE}),
    "a sum in the step": (
        orbit(Sum(x * k, (k, 1, 2)), 1, POSITIVE), (POSITIVE,), {"after": TWO},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_invariant_region(name):
    conclusion, region, args = ACCEPTED[name]
    assert invariant(conclusion, region, **args) == ()


OTHER = premises(PAIR, SAVED)
REFUSED = {
    "no orbit": ("must be an orbit", POSITIVE, (), {"using": (POSITIVE,)}),
    "no premise": ("unpack", HALVING, (), {"using": ()}),
    "a premise of another kind": (
        "must be a relation", HALVING, (), {"using": (HALVING, HALVING)},
    ),
    "a premise over fewer points": (
        "differ in context", HALVING, (),
        {"using": premises(HALVING, (POSITIVE,), over=((x, above(0)),))},
    ),
    "the parameter behind the state": (
        "differ in context", orbit(x / n, n, POSITIVE, over=((n, above(0)),)), (),
        {"using": premises(orbit(x / n, n, POSITIVE, over=((n, above(0)),)), (POSITIVE,),
                           over=((x, REALS), (n, above(0))))},
    ),
    "without the parameter": (
        "differ in context", orbit(x / 2, n, POSITIVE, over=((n, above(0)),)), (),
        {"using": premises(HALVING, (POSITIVE,))},
    ),
    "another hypothesis in a step": (
        "differ in context", HALVING, (),
        {"using": (premises(HALVING, (POSITIVE,))[0],
                   rel(x / 2, ">", 0, ((x, REALS),), (rel(x, ">", 1),)))},
    ),
    "the hypotheses in another order": (
        "differ in context", PAIR, (),
        {"using": (OTHER[0], *(replace(p, given=SAVED[::-1]) for p in OTHER[1:]))},
    ),
    "the premises in another order": (
        "expected", PAIR, (), {"using": (OTHER[0], OTHER[2], OTHER[1])},
    ),
    "the conclusion last": ("expected", PAIR, (), {"using": (*OTHER[1:], OTHER[0])}),
    "a condition without premise": ("needs a premise", PAIR, (), {"using": OTHER[:2]}),
    "a premise without condition": (
        "needs a premise", PAIR, (), {"using": (*OTHER, OTHER[1])},
    ),
    "a weaker condition after the step": (
        "expected the relation >, got >=", HALVING, (),
        {"using": (premises(HALVING, (POSITIVE,))[0],
                   rel(x / 2, ">=", 0, ((x, REALS),), (POSITIVE,)))},
    ),
    "another step": (
        "expected", HALVING, (), {"using": premises(replace(HALVING, step=((x, x / 3),)),
                                                   (POSITIVE,))},
    ),
    "another conclusion": (
        "expected", HALVING, (),
        {"using": premises(replace(HALVING, holds=rel(x, ">", -1)), (POSITIVE,))},
    ),
    "a weaker conclusion": (
        "expected the relation >, got >=", HALVING, (),
        {"using": premises(replace(HALVING, holds=rel(x, ">=", 0)), (POSITIVE,))},
    ),
    "one step after the other": (
        "expected", PAIR, (),
        {"using": (*OTHER[:2], rel(x / 2 + y, ">=", 0, OTHER[0].over, SAVED))},
    ),
    "a general condition": (
        "is general", orbit(x, 1, POSITIVE, over=((s, REALS),)),
        (rel(s[k], ">", 0, ((k, integers(0)),)),), {},
    ),
    "a step that is not defined in the region": (
        "not shown to be defined", orbit(1 / x, 1, rel(x, "=", x)), (), {},
    ),
    "a conclusion that is not defined in the region": (
        "not shown to be defined", orbit(x, 1, rel((x**2 - 1) / (x - 1), ">", 0)), (),
        {"using": (rel(x + 1, ">", 0, ((x, REALS),), (POSITIVE,)),
                   rel(x, ">", 0, ((x, REALS),), (POSITIVE,)))},
    ),
    "a condition that is not defined after the step": (
        "not shown to be defined", orbit(x, 2, rel(x + 1, "=", x + 1)), (),
        {"using": (rel(x + 1, "=", x + 1, ((x, REALS),), (rel((x**2 - 1) / (x - 1), ">", 0),)),
                   rel(x + 1, ">", 0, ((x, REALS),), (rel((x**2 - 1) / (x - 1), ">", 0),)))},
    ),
    "a start outside the region": (
        "not seen at the start", replace(HALVING, start=((x, -ONE),)), (POSITIVE,), {},
    ),
    "a start on the border of the region": (
        "not seen at the start", replace(HALVING, start=((x, ZERO),)), (POSITIVE,), {},
    ),
    "a start outside for some parameters": (
        "not seen at the start", orbit(x / 2, n, POSITIVE, over=((n, REALS),)), (POSITIVE,), {},
    ),
    "a start that is not defined": (
        "not shown to be defined", orbit(x / 2, 1 / n, rel(x, "=", x), over=((n, REALS),)), (), {},
    ),
    "a condition that is not defined at the start": (
        "not shown to be defined", orbit(x, 0, rel(x, "=", x)), (rel(1 / x, ">", 0),),
        {"using": (rel(x, "=", x, ((x, REALS),), (rel(1 / x, ">", 0),)),
                   rel(1 / x, ">", 0, ((x, REALS),), (rel(1 / x, ">", 0),)))},
    ),
    "a fraction of a step": ("no number of iterates", GROWING, (POSITIVE,), {"after": HALF}),
    "a step back": ("no number of iterates", GROWING, (POSITIVE,), {"after": -ONE}),
    "a Python number": ("no number of iterates", GROWING, (POSITIVE,), {"after": 3}),
    "too many iterates": (
        "more than 10000 iterates", GROWING, (POSITIVE,), {"after": Integer(ITERATES + 1)},
    ),
    "parameters and iterates": (
        "without parameters", orbit(x + n, 0, POSITIVE, True, ((n, above(0)),)), (POSITIVE,),
        {"after": ONE},
    ),
    "too early": ("iterate 2 is not", orbit(x + 1, -2 - HALF, POSITIVE, True), (POSITIVE,),
                  {"after": TWO}),
    "on the border too early": ("not decided", GROWING, (POSITIVE,), {"after": TWO}),
    "it fails on the way": (
        "it fails at iterate 1", orbit(x + 1, -2, rel((2 * x + 2) ** 2, ">", HALF)),
        (POSITIVE,), {"after": THREE, "using": (
            rel((2 * x + 2) ** 2, ">", HALF, ((x, REALS),), (POSITIVE,)),
            rel(x + 1, ">", 0, ((x, REALS),), (POSITIVE,)))},
    ),
    "eventually is not always": (
        "it fails at iterate 0", replace(GROWING, eventually=False), (POSITIVE,), {"after": THREE},
    ),
    "balls that do not decide": (
        "not decided", orbit(4 * x * (1 - x), Rational(1, 3), rel(x, "<", 2), True),
        (rel(x, "<", 2),), {"after": Integer(2000)},
    ),
    "balls that do not decide an equation": (
        "not decided", orbit(x, sqrt(2), rel(x**2, "=", 2), True), (rel(x**2, "=", 2),),
        {"after": ONE},
    ),
    "a step that is no number": (
        "not seen to be finite", orbit(1 / (x - 1), 2, rel(x, "<", 9), True), (NEGATIVE,),
        {"after": TWO},
    ),
    "a step without enclosure": (
        "no enclosure", orbit(floor(x), HALF, rel(x, "<", 9), True), (rel(x, "<", 9),),
        {"after": ONE},
    ),
    "a slope of what is not defined": (
        "derivative", orbit(Derivative(log(x), x) + 2, -1, rel(x, ">", -2)), (POSITIVE,),
        {"after": ONE, "using": (rel(x, ">", -2, ((x, REALS),), (POSITIVE,)),
                                 rel(1 / x + 2, ">", 0, ((x, REALS),), (POSITIVE,)))},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_no_invariant_region(name):
    why, conclusion, region, args = REFUSED[name]
    with pytest.raises(Exception, match=re.escape(why)):
        invariant(conclusion, region, **args)


def derived(conclusion, region, rules, **args):
    """A derivation in which each premise stands by one rule."""
    lines = [
        Line(premise, rule)
        for premise, rule in zip(premises(conclusion, region), rules, strict=True)
    ]
    last = Line(conclusion, "invariant", tuple(range(1, len(lines) + 1)), tuple(args.items()))
    return Derivation((*lines, last))


def test_a_region_that_holds_at_the_start_must_be_kept():
    """x < 1 at 0, but x + 1 < 1 does not follow."""
    leaving = orbit(x + 1, 0, rel(x, "<", 1))
    verdict = check(
        "orbit", leaving, (derived(leaving, (rel(x, "<", 1),), ("hypothesis", "sign")),)
    )
    assert verdict.outcome == "inconclusive"
    assert "line 2 (sign)" in verdict.detail
    assert check("orbit", leaving, (Counterexample((), start=TWO),)).outcome == "refuted"


def test_a_derivation_proves():
    proof = derived(HALVING, (POSITIVE,), ("hypothesis", "sign"))
    assert check("orbit", HALVING, (proof,)).outcome == "proved"
    never = replace(HALVING, holds=NEGATIVE)
    assert check("orbit", never, (proof,)).outcome == "inconclusive"
    assert check("orbit", replace(HALVING, eventually=True), (proof,)).outcome == "inconclusive"
    both = Every((HALVING, PAIR))
    assert check("orbit", both, (Part(0, proof),)).outcome == "inconclusive"
    whole = Derivation((*proof.lines, Line(Every((HALVING,)), "every", (3,))))
    assert check("orbit", Every((HALVING,)), (whole,)).outcome == "proved"


ADMITTED = [
    HALVING, PAIR, GROWING, orbit(x / n, n, POSITIVE, over=((n, above(0)),)),
    orbit(x + s[0], s[1], POSITIVE, over=((s, above(0)),)),
]  # fmt: skip
PLAIN = "a start for each variable, one plain relation"
NOT_ADMITTED = {
    "no variables": (PLAIN, Orbit((), (), rel(0, "<", 1))),
    "a start is missing": (PLAIN, replace(PAIR, start=PAIR.start[:1])),
    "a start too many": (PLAIN, replace(HALVING, start=(*HALVING.start, (y, ONE)))),
    "starts in another order": (PLAIN, replace(PAIR, start=PAIR.start[::-1])),
    "a start of another variable": (PLAIN, replace(HALVING, start=((y, ONE),))),
    "a relation with variables": (PLAIN, replace(HALVING, holds=rel(x, ">", 0, ((n, REALS),)))),
    "a relation with hypotheses": (
        PLAIN, replace(HALVING, holds=rel(x, ">", 0, (), (rel(x, ">", 1),))),
    ),
    "a number as variable": ("plain symbol", Orbit(((ONE, x),), ((ONE, ONE),), POSITIVE)),
    "a sequence as variable": ("plain symbol", Orbit(((s, x),), ((s, ONE),), POSITIVE)),
    "an entry as variable": ("plain symbol", Orbit(((s[0], x),), ((s[0], ONE),), POSITIVE)),
    "a start in the state": ("parameters alone", replace(HALVING, start=((x, x + 1),))),
    "a start in another state": ("parameters alone", replace(PAIR, start=((x, ONE), (y, x)))),
    "a variable twice": (
        "two domains", Orbit(((x, x), (x, x + 1)), ((x, ONE), (x, TWO)), POSITIVE),
    ),
    "a parameter that is a variable": ("two domains", replace(HALVING, over=((x, above(0)),))),
    "a sequence of that name": (
        "two domains", replace(HALVING, over=((IndexedBase("x"), above(0)),)),
    ),
    "an unknown name in the step": ("n has no domain", orbit(x + n, 1, POSITIVE)),
    "an unknown name in the start": ("n has no domain", orbit(x, n, POSITIVE)),
    "an unknown name in the relation": ("n has no domain", orbit(x, 1, rel(x, ">", n))),
    "no relation": ("holds is no Relation", replace(HALVING, holds=x)),
    "a Python number": ("attribute", replace(HALVING, start=((x, 1),))),
}  # fmt: skip


@pytest.mark.parametrize("statement", ADMITTED)
def test_admitted(statement):
    verdict = check("orbit", statement, ())
    assert (verdict.outcome, verdict.findings) == ("inconclusive", ())


@pytest.mark.parametrize("name", NOT_ADMITTED)
def test_not_admitted(name):
    why, statement = NOT_ADMITTED[name]
    verdict = check("orbit", statement, (Counterexample((), start=ZERO),))
    assert [finding.evidence for finding in verdict.findings] == ["Statement"]
    assert why in verdict.detail


def stray(number, *point):
    return Counterexample(point, start=None if number is None else Integer(number))


SCALED = orbit(x / n, n, rel(x, ">", HALF), over=((n, above(1)),))
FALSE_SOMEWHERE = [
    (replace(HALVING, holds=rel(x, ">", Rational(1, 10))), stray(4)),
    (replace(HALVING, holds=rel(x, "=", 1)), stray(1)),
    (replace(HALVING, holds=rel(x, ">=", 2)), stray(0)),
    (replace(PAIR, holds=rel(y, "<", 1 + HALF)), stray(3)),
    (SCALED, stray(3, (n, TWO))),
    (orbit(cos(x), 1, rel(x, ">", Rational(74, 100))), stray(40)),
    (orbit(x + 1, 0, rel(x, "<", 9999)), stray(10_000)),
]
NOT_FALSE = [
    ("it holds at iterate 2", HALVING, stray(2)),
    ("it holds at iterate 3", replace(HALVING, holds=rel(x, ">", Rational(1, 10))), stray(3)),
    ("not decided", replace(HALVING, holds=rel(x, "!=", HALF)), stray(1)),
    ("not decided", replace(HALVING, holds=rel(x, "<", HALF)), stray(1)),
    (
        "not refute what happens eventually",
        replace(HALVING, holds=NEGATIVE, eventually=True),
        stray(9),
    ),
    ("needs a number", replace(HALVING, holds=NEGATIVE), stray(None)),
    ("needs a number", replace(HALVING, holds=NEGATIVE), stray(-1)),
    ("needs a number", replace(HALVING, holds=NEGATIVE), Counterexample((), start=HALF)),
    ("more than 10000", replace(HALVING, holds=NEGATIVE), stray(10_001)),
    ("more than 10000", replace(HALVING, holds=NEGATIVE), stray(10**30)),
    ("no value is given", SCALED, stray(3)),
    ("outside its domain", SCALED, stray(3, (n, HALF))),
    ("no variable", SCALED, stray(3, (n, TWO), (x, ONE))),
    ("it holds at iterate 1", SCALED, stray(1, (n, TWO))),
    ("not seen to be finite", orbit(1 / x, 0, NEGATIVE), stray(1)),
    ("not decided", orbit(4 * x * (1 - x), Rational(1, 3), NEGATIVE), stray(3000)),
]


@pytest.mark.parametrize(("statement", "evidence"), FALSE_SOMEWHERE)
def test_an_iterate_refutes(statement, evidence):
    finding = counterexample(statement, evidence)
    assert (finding.outcome, finding.detail) == ("refuted", f"false at iterate {evidence.start}")
    assert check("orbit", statement, (evidence,)).outcome == "refuted"


@pytest.mark.parametrize(("why", "statement", "evidence"), NOT_FALSE)
def test_no_iterate_refutes(why, statement, evidence):
    with pytest.raises(Exception, match=re.escape(why)):
        counterexample(statement, evidence)


def test_other_evidence_does_not_fit():
    instances = Instance((), stray(0)), Instance(((n, TWO),), stray(0))
    for evidence in (Enumeration(1), Enclosure((), ((),)), *instances):
        verdict = check("orbit", SCALED, (evidence,))
        assert [finding.outcome for finding in verdict.findings] == ["rejected"]


def test_balls_contain_the_iterates():
    """x -> x^2 - 2 from 3: exactly, in whole numbers."""
    value = 3
    for balls in iterates(orbit(x**2 - 2, 3, POSITIVE), 8, {}):
        assert balls[x].contains(value)
        value = value**2 - 2


def test_variables_change_at_the_same_time():
    """The Fibonacci numbers, not powers of two."""
    *_, balls = iterates(orbit((y, x + y), (0, 1), POSITIVE), 30, {})
    assert balls[x] == 832040


KEPT = derived(HALVING, (POSITIVE,), ("hypothesis", "sign"))
NEVER = replace(HALVING, holds=rel(x, "<=", 0))
LATE = derived(GROWING, (POSITIVE,), ("hypothesis", "sign"), after=THREE)


@pytest.mark.parametrize(
    ("statement", "proof"),
    [
        (NEVER, KEPT),
        (replace(NEVER, eventually=True), KEPT),
        (replace(GROWING, holds=rel(x, "<=", 0)), LATE),
        (replace(GROWING, holds=rel(x, "<=", 0), eventually=False), LATE),
    ],
)
def test_a_trap_refutes(statement, proof):
    verdict = check("orbit", statement, (Trap(proof),))
    assert verdict.outcome == "refuted"
    assert f"for ever {proof.lines[-1].statement.holds}: " in verdict.detail
    whole = Every((statement, HALVING))
    assert check("orbit", whole, (Part(0, Trap(proof)), Part(1, KEPT))).outcome == "refuted"


ENDS = "does not end at the opposite"
WITH = orbit(x / 2, n, rel(x, "<=", 0), over=((n, above(0)),))
NO_TRAP = {
    "the statement itself": (ENDS, HALVING, KEPT),
    "a weaker opposite": (ENDS, replace(HALVING, holds=NEGATIVE), KEPT),
    "a stronger opposite": (
        ENDS, NEVER, derived(replace(HALVING, holds=rel(x, ">=", 0)), (POSITIVE,),
                             ("sign", "sign")),
    ),
    "the sides exchanged": (ENDS, replace(HALVING, holds=rel(0, ">=", x)), KEPT),
    "another start": (ENDS, replace(NEVER, start=((x, TWO),)), KEPT),
    "another step": (ENDS, replace(NEVER, step=((x, x / 3),)), KEPT),
    "another variable": (
        ENDS, Orbit(((y, y / 2),), ((y, ONE),), rel(y, "<=", 0)), KEPT,
    ),
    "parameters": (
        "parameters must be fixed", WITH,
        derived(replace(WITH, holds=POSITIVE), (POSITIVE,), ("hypothesis", "sign")),
    ),
    "parameters in the derivation alone": (
        ENDS, NEVER,
        derived(replace(HALVING, over=((n, above(0)),)), (POSITIVE,), ("hypothesis", "sign")),
    ),
    "no orbit": ("about an orbit", rel(1, "<", 0), KEPT),
    "a derivation of no orbit": (
        "about an orbit", NEVER, Derivation((Line(rel(0, "<", 1), "ground"),)),
    ),
    "an empty derivation": ("about an orbit", NEVER, Derivation(())),
    "a derivation that fails": (
        "line 2 (sign)", replace(GROWING, holds=rel(x, ">=", 1)),
        derived(replace(GROWING, holds=rel(x, "<", 1)), (rel(x, "<", 1),), ("hypothesis", "sign")),
    ),
    "no derivation": ("malformed", NEVER, Counterexample(())),
    "a trap in a trap": ("malformed", NEVER, Trap(KEPT)),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_TRAP)
def test_no_trap(name):
    why, statement, proof = NO_TRAP[name]
    verdict = check("orbit", statement, (Trap(proof),))
    assert verdict.outcome == "inconclusive"
    assert [finding.outcome for finding in verdict.findings] == ["rejected"]
    assert why in verdict.detail


def test_a_trap_names_what_it_cites():
    cited = Derivation((Line(HALVING, "claim", (), (("name", "halving"),)),))
    for earned in ("proved", "certified", "confirmed", "refuted"):
        outcome = "refuted" if earned in ("proved", "certified") else "inconclusive"
        verdict = check("orbit", NEVER, (Trap(cited),), {"halving": (HALVING, earned)})
        assert verdict.outcome == outcome
        assert verdict.uses == (("halving",) if outcome == "refuted" else ())


def test_a_trap_beside_support_is_a_conflict():
    """Only if the kernel itself were wrong: the same orbit is nowhere both."""
    verdict = check("orbit", NEVER, (Trap(KEPT), KEPT))
    assert verdict.outcome == "refuted"
    assert [finding.outcome for finding in verdict.findings] == ["refuted", "rejected"]


def test_opposites_exclude_and_exhaust():
    assert {OPPOSITE[OPPOSITE[op]] for op in OPPOSITE} == set(OPPOSITE)
    for op, other in OPPOSITE.items():
        for sign in (-1, 0, 1):
            truth = check("c", rel(sign, op, 0), (Enumeration(1),)).outcome == "certified"
            assert truth != (check("c", rel(sign, other, 0), (Enumeration(1),)).outcome
                             == "certified")  # fmt: skip


def test_a_slope_in_the_step_is_defined_in_the_region():
    """d/dx log x = 1/x: defined for x > 0, whatever it is elsewhere."""
    step = Derivative(log(x), x)
    conclusion = orbit(step, 2, POSITIVE)
    over, given = ((x, REALS),), (POSITIVE,)
    using = (rel(x, ">", 0, over, given), rel(1 / x, ">", 0, over, given))
    assert invariant(conclusion, (), using=using) == ()
    area = Integral(Derivative(log(t), t), (t, -2, -1))
    with pytest.raises(Exception, match="derivative"):
        counterexample(orbit(x, area, rel(x, ">", 0)), stray(0))
