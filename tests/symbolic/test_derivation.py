"""Derivations as they are written and as they are read."""

import pytest
from sympy import Derivative, Integer, Rational, exp, log, symbols

from lemmata.symbolic.degree import derive_counting, derive_optimum
from lemmata.symbolic.derivation import Derivation, Line, Proof
from lemmata.symbolic.statements import REALS, Relation, above
from lemmata.verify.kernel import check

x, t, d = symbols("x t d")
OVER = ((x, above(0)),)


def test_a_proof_is_written_line_by_line():
    proof = Proof((x, above(0)))
    first = proof.relate(x, ">", 0, "sign")
    second = proof.relate(x + 1, ">", 1, "linear", first, c1=1)
    derivation = proof.done()
    assert (first, second) == (1, 2)
    assert derivation.lines == (
        Line(Relation(x, ">", Integer(0), OVER), "sign"),
        Line(Relation(x + 1, ">", Integer(1), OVER), "linear", (1,), (("c1", Integer(1)),)),
    )
    assert proof.statement(second) == derivation.lines[1].statement
    assert check("c", proof.statement(second), (derivation,)).outcome == "proved"


def test_a_line_may_have_its_own_context():
    held = (Relation(x, ">", Integer(1)),)
    proof = Proof((x, above(0)), given=held)
    proof.relate(1, "<", 2, "ground", over=(), given=())
    proof.relate(x, ">", 1, "hypothesis")
    proof.relate(x, ">", 1, "hypothesis", over=((x, REALS),))
    statements = [line.statement for line in proof.done().lines]
    assert statements[0] == Relation(Integer(1), "<", Integer(2))
    assert statements[1] == Relation(x, ">", Integer(1), OVER, held)
    assert statements[2] == Relation(x, ">", Integer(1), ((x, REALS),), held)


@pytest.mark.parametrize(
    ("steps", "op"),
    [
        ((("=", x + x - x, "field"), ("<", x + 1, "sign")), "<"),
        ((("<=", x + 1, "sign"), ("<", x + 2, "sign")), "<"),
        ((("<=", x + 1, "sign"), ("=", 1 + x, "field")), "<="),
        ((("=", x * (x + 1) / (x + 1), "field"), ("=", x, "field")), "="),
        (((">", x - 1, "sign"), (">=", x - 2, "sign")), ">"),
        (((">=", x - 1, "sign"), (">=", x - 2, "sign")), ">="),
    ],
)
def test_a_chain_joins_its_ends(steps, op):
    proof = Proof((x, above(0)))
    number = proof.chain(x, *steps)
    statement = proof.statement(number)
    assert statement == Relation(x, op, steps[-1][1], OVER)
    assert check("c", statement, (proof.done(),)).outcome == "proved"


def test_a_chain_of_one_step_is_that_step():
    proof = Proof()
    assert proof.chain(x, ("=", x, "field"), over=OVER) == 1
    assert len(proof.done().lines) == 1


def test_a_proof_needs_a_line():
    with pytest.raises(ValueError, match="at least one line"):
        Proof((x, above(0))).done()


def test_reasons_as_text():
    assert Line(Relation(x, ">", x), "sign").reason() == "sign"
    assert Line(Relation(x, ">", x), "linear", (1, 3)).reason() == "linear of 1, 3"
    with_args = Line(Relation(x, ">", x), "substitute", (2,), (("x", x**2), ("name", "f.g")))
    assert with_args.reason() == "substitute of 2 [x = x^2, name = f.g]"


def test_derivations_as_text():
    text = str(derive_optimum())
    rows = text.splitlines()
    assert len(rows) == len(derive_optimum().lines)
    assert rows[0].startswith("  1  ")
    assert all(row.endswith("]") for row in rows)
    assert "[reparametrise of 2 [variable = d, image = exp(1 - t)]]" in rows[2]
    assert len(str(derive_counting()).splitlines()) == len(derive_counting().lines)


def test_derivations_as_latex():
    slope = Relation(Derivative(log(d), d), "=", 1 / d, ((d, above(0)),))
    line = Line(slope, "differentiate", (), (("image_of", exp(t) ** Rational(1, 2)),))
    text = Derivation((line, line))._repr_latex_()
    assert text.startswith(r"$\displaystyle \begin{array}{rll} 1 & ")
    assert text.endswith(r"\end{array}$")
    assert text.count(r" \\ ") == 1
    assert r"image\_of" in text
    assert "differentiate" in text
    assert text.count("{") == text.count("}")
