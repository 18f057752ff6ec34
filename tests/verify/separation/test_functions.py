"""Claims about functions: verdicts, mutants, what their hypotheses name, and forged evidence."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from flint import fmpz_mat, nmod_mat
from sympy import Expr, Integer, Matrix, Rational, symbols

from lemmata.symbolic.derivation import Derivation
from lemmata.symbolic.separation import coefficients, layout, matricise, minors, separation_rank
from lemmata.symbolic.statements import REALS, Every, Function, Relation, SeparationRank, integers
from lemmata.verify.claim import Settings
from lemmata.verify.claims.separation import functions, polynomials
from lemmata.verify.kernel import check
from lemmata.verify.kernel.evidence import Counterexample, Part, SeparationCertificate
from lemmata.verify.record import decode, encode

x, y, z = symbols("x y z")
CLAIMS = functions.CLAIMS
PROVED = [claim for claim in CLAIMS if claim.derivation]
MUTANTS = [(claim, mutant) for claim in CLAIMS for mutant in claim.mutants]


def evidence(claim, statement, seed: int = 0):
    producers = (claim.certificate, claim.experiment)
    settings = Settings(seed=seed, device="cpu")
    return tuple(item for make in producers if make for item in make(statement, settings))


@pytest.fixture(scope="module")
def derived():
    return {claim.id: claim.derivation() for claim in PROVED}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_verdict_is_the_expected_one_also_from_a_record(claim, derived) -> None:
    made = (derived[claim.id],) if claim.derivation else ()
    items = (*made, *evidence(claim, claim.statement))
    read = tuple(decode(encode(item)) for item in items)
    assert read == items
    verdict = check(claim.id, decode(encode(claim.statement)), read)
    assert verdict.outcome == claim.expected, verdict.detail
    assert "rejected" not in {finding.outcome for finding in verdict.findings}
    assert verdict.facts == ()
    assert len(claim.mutants) >= 3


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("claim", "mutant"), MUTANTS, ids=lambda value: getattr(value, "name", ""))
def test_mutants_are_refuted(claim, mutant, seed: int) -> None:
    verdict = check(claim.id, mutant.statement, evidence(claim, mutant.statement, seed))
    assert verdict.outcome == "refuted", verdict.detail
    assert "rejected" not in {finding.outcome for finding in verdict.findings}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_no_point_contradicts_what_is_proved(claim, seed: int) -> None:
    assert evidence(claim, claim.statement, seed) == ()


def test_the_false_claim_and_the_true_one_name_each_other() -> None:
    assert functions.FINITE_DOMAIN.corrected_by == functions.COEFFICIENT_RANK.id
    assert functions.COEFFICIENT_RANK.corrects == functions.FINITE_DOMAIN.id


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_every_line_is_used(claim, derived) -> None:
    lines = derived[claim.id].lines
    used = {number for line in lines for number in line.using} | {len(lines)}
    assert used == set(range(1, len(lines) + 1))


@pytest.mark.parametrize("claim", PROVED, ids=lambda claim: claim.id)
def test_a_line_by_another_rule_is_noticed(claim, derived) -> None:
    """At every thirteenth line."""
    for number in range(0, len(derived[claim.id].lines), 13):
        lines = list(derived[claim.id].lines)
        lines[number] = replace(lines[number], rule="degree")
        verdict = check(claim.id, claim.statement, (Derivation(tuple(lines)),))
        assert verdict.outcome == "inconclusive"
        assert f"line {number + 1} " in verdict.detail


@pytest.mark.parametrize(
    ("claim", "mutant"),
    [(claim, mutant) for claim, mutant in MUTANTS if claim.derivation],
    ids=lambda value: getattr(value, "name", ""),
)
def test_the_derivation_does_not_prove_a_mutant(claim, mutant, derived) -> None:
    """Neither as it is, nor with the mutant's parts in the place of the true ones."""
    found = derived[claim.id]
    assert check("mutant", mutant.statement, (found,)).outcome == "inconclusive"
    swapped = dict(zip(claim.statement.parts, mutant.statement.parts, strict=True))
    lines = [
        replace(line, statement=mutant.statement)
        if isinstance(line.statement, Every)
        else replace(line, statement=swapped.get(line.statement, line.statement))
        for line in found.lines
    ]
    verdict = check("mutant", mutant.statement, (Derivation(tuple(lines)),))
    assert verdict.outcome == "inconclusive"


def test_a_point_where_the_statement_holds_refutes_nothing() -> None:
    statement = functions.MATRICISATION_BOUND.statement
    names = [name for name, _ in statement.parts[0].over]
    forged = Part(0, Counterexample(tuple((name, Integer(2)) for name in names)))
    assert check("forged", statement, (forged,)).outcome == "inconclusive"


def certificate(left, right, factors) -> SeparationCertificate:
    points = [tuple((Fraction(value),) for value in side) for side in (left, right)]
    return SeparationCertificate(points[0], points[1], factors)


BITS = functions.FINITE_DOMAIN.statement
FORGED = {
    "a point outside the domain": certificate((1, 2), (1, 2), None),
    "dependent values": certificate((0, 1), (0, 1), None),
    "another product": certificate((1,), (1,), ((x, y),)),
    "a factor of both sides": certificate((1,), (1,), ((2 * x * y, Integer(1)),)),
    "more points on one side": certificate((1,), (0, 1), ((2 * x, y),)),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_certificates_show_nothing(name: str) -> None:
    assert check(name, BITS, (Part(0, FORGED[name]),)).outcome == "inconclusive"


def test_the_true_certificate_shows_that_bits_have_rank_1() -> None:
    true = certificate((1,), (1,), ((2 * x, y),))
    assert check("bits", BITS, (Part(0, true),)).outcome == "refuted"
    assert check("bits", functions.finite_domain(1), (Part(0, true),)).outcome == "certified"


def test_vandermonde_matrices_and_their_inverses_by_a_second_way() -> None:
    for size in coefficients.DETERMINANTS:
        points = coefficients.nodes(size)
        values = dict(
            zip(points, (Rational(1, 2), Integer(3), Integer(-2), Integer(5)), strict=False)
        )
        powers = Matrix([[values[point] ** power for power in range(size)] for point in points])
        assert coefficients.determinant(points).subs(values) == powers.det()
        inverse = powers.inv() * powers.det()
        for power, at in product(range(size), repeat=2):
            assert coefficients.cofactor(points, power, at).subs(values) == inverse[power, at]


@pytest.mark.parametrize("number", range(40))
def test_matricisations_of_r_products_have_rank_r_at_most(number: int) -> None:
    """Functions without any structure: tables of random values, templates chosen with repeats."""
    source = Random(number)
    count, templates = source.randint(1, 3), source.randint(2, 5)
    tables = [
        [{t: source.randint(-3, 3) for t in range(6)} for _ in range(count)] for _ in range(2)
    ]

    def function(a: int, b: int) -> Expr:
        return Integer(sum(g[a] * h[b] for g, h in zip(*tables, strict=True)))

    chosen = [source.randint(0, 5) for _ in range(templates)]
    found = matricise(function, (0,), (1,), chosen)
    assert Matrix(found).rank() <= count


def test_layouts_are_those_of_the_symbolic_matricisation() -> None:
    for left, right, size in layout.LAYOUTS:
        places = len(left) + len(right)
        entries = list(product(range(1, size + 1), repeat=places))
        names = symbols(f"j1:{places + 1}")
        row, column = layout.reshaped(left, right, size)
        numbers = {entry: place for place, entry in enumerate(entries)}
        found = matricise(
            lambda *entry, numbers=numbers: Integer(numbers[entry]),
            tuple(a - 1 for a in left), tuple(b - 1 for b in right), range(1, size + 1),
        )  # fmt: skip
        for entry in Random(0).sample(entries, min(20, len(entries))):
            values = dict(zip(names, entry, strict=True))
            at = int(row.subs(values)) - 1, int(column.subs(values)) - 1
            assert found[at[0]][at[1]] == numbers[entry]


@pytest.mark.parametrize("p", [2, 3, 5, 101])
def test_ranks_modulo_p_are_at_most_the_true_ones(p: int) -> None:
    below = 0
    for number in range(100):
        source = Random(number)
        size = source.randint(1, 5)
        rows = [[source.randint(-6, 6) for _ in range(size)] for _ in range(size)]
        reduced, true = nmod_mat(rows, p).rank(), fmpz_mat(rows).rank()
        assert reduced <= true
        below += reduced < true
    assert below > 10 if p < 5 else below < 40


def test_lifted_determinants() -> None:
    source = Random(0)
    for size in minors.MINORS:
        names = [name for name, _ in minors.entry_names(size)[1:]]
        values = {name: source.randint(-5, 5) for name in names} | {minors.p: 7}
        whole = Matrix(minors.lifted(size)).subs(values)
        low = Matrix(minors.table("s", size, size)).subs(values)
        change = minors.carried(size).subs(values)
        assert change.is_Integer
        assert whole.det() == low.det() + 7 * change


def zeros(polynomial: Expr, names, p: int) -> int:
    """The number of points over the field of p elements at which the polynomial vanishes."""
    return sum(
        int(polynomial.subs(dict(zip(names, point, strict=True)))) % p == 0
        for point in product(range(p), repeat=len(names))
    )


@pytest.mark.parametrize("p", [2, 3, 5])
def test_schwartz_and_zippel_by_counting(p: int) -> None:
    """A polynomial of degree e that is not 0 vanishes at no more than e p^(n - 1) points of p^n."""
    a, b, c, d = symbols("a b c d")
    cases = [
        (a * d - b * c, (a, b, c, d), 2),
        (a * b - 1, (a, b), 2),
        (a * (a - 1) * b, (a, b), 3),
        (a + b + c, (a, b, c), 1),
    ]
    for polynomial, names, degree in cases:
        most = degree * p ** (len(names) - 1)
        assert 0 < zeros(polynomial, names, p) <= most
    assert zeros(a + b + c, (a, b, c), p) == p**2
    # a^p - a is 0 everywhere and not the zero polynomial: the degree must lie below p.
    assert zeros(a**p - a, (a,), p) == p


@pytest.mark.parametrize("number", range(30))
def test_certificates_of_random_polynomials_meet_the_symbolic_rank(number: int) -> None:
    source = Random(number)
    keys = [tuple(source.randint(0, 3) for _ in range(3)) for _ in range(source.randint(0, 8))]
    expression = sum((source.randint(-3, 3) * x**e * y**f * z**g for e, f, g in keys), Integer(0))
    rank = separation_rank(expression, (x, z), (y,))
    function = Function(expression, ((x, REALS), (z, REALS)), ((y, REALS),))
    for value, outcome in ((rank, "certified"), (rank + 1, "refuted")):
        part = SeparationRank(function, "=", Integer(value))
        made = polynomials.certificate(part, source)
        assert check("rank", part, (made,)).outcome == outcome


@pytest.mark.parametrize("number", range(20))
def test_certificates_on_finite_domains_meet_the_rank_of_all_values(number: int) -> None:
    source = Random(number)
    most = source.randint(1, 3)
    expression = sum(
        (source.randint(-3, 3) * x ** source.randint(0, 5) * y ** source.randint(0, 5)
         for _ in range(5)), Integer(0),
    )  # fmt: skip
    values = [[expression.subs({x: a, y: b}) for b in range(most + 1)] for a in range(most + 1)]
    rank = Matrix(values).rank()
    domain = integers(0, most)
    part = SeparationRank(Function(expression, ((x, domain),), ((y, domain),)), "=", Integer(rank))
    made = polynomials.certificate(part, source)
    assert check("rank", part, (made,)).outcome == "certified"


def test_trials_keep_to_domains_and_hypotheses() -> None:
    low = Relation(x, ">", Integer(0), ((x, integers(1, 2)), (y, integers(x, 3))))
    assert functions.failing(Every((low,)), Settings()) == ()
    held = Relation(x, "=", y, ((x, REALS), (y, REALS)), (Relation(x - y, "=", Integer(0)),))
    assert functions.failing(Every((held,)), Settings()) == ()
    free = replace(held, given=())
    (found,) = functions.failing(Every((free,)), Settings())
    assert check("free", Every((free,)), (found,)).outcome == "refuted"
