"""Other counts of a layer's cost: d + c matrices instead of d.

Notation: c = w exp(1 + w) with w > -1, so that w = W0(c/e); the optimum is d* = exp(1 + w). The
slope of ln d/(d + c) has the sign of d + c - d ln d; with d = exp(1 + w + u) beyond d* and
d = exp(1 + w - u) before it, that sign rests on f(u) = u e^u - e^u + 1 > 0.
"""

from __future__ import annotations

from sympy import E, Expr, Integer, LambertW, exp, log, oo, symbols

from ..derivation import Derivation, Proof
from ..statements import Domain, Domains, Every, Maximum, above, integers, interval
from .closed_forms import objective, switch_point

d, c, t, w, u, k = symbols("d c t w u k")
AT = exp(1 + LambertW(c / E))
COST = w * exp(1 + w)
F = u * exp(u) - exp(u) + 1
COSTS = ((c, above(-1)),)
ROOTS = ((w, above(-1)),)
TABLE = ((-1, 2), (0, 3), (1, 4), (2, 4), (3, 5))


def slope(extra: Expr | int) -> Expr:
    return objective(extra).diff(d)


def derive_counting() -> Derivation:
    """d*(c) = exp(1 + W0(c/e)) = c/W0(c/e), and what remains of it at c = -1."""
    proof = Proof()
    positive = _auxiliary(proof)
    grows = _exponential_grows(proof, u)
    peak = _peak(proof, positive, grows)
    ratios = [_ratio(proof, interval(-1, 0)), _ratio(proof, above(0))]
    parts = (peak, *ratios, *_boundary(proof))
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def _auxiliary(proof: Proof) -> int:
    """f(u) > 0 for u > 0: it starts at 0 and has the slope u e^u."""
    over = ((u, above(0)),)
    rises = proof.relate(u * exp(u), ">", 0, "sign", over=over)
    return proof.relate(
        F, ">", 0, "monotone", rises, over=over, function=F, variable=u, low=0, high=u
    )


def _exponential_grows(proof: Proof, name: Expr) -> int:
    over = ((name, above(0)),)
    return proof.relate(
        exp(name), ">", 1, "exponential", proof.relate(name, ">", 0, "sign", over=over), over=over
    )


def _peak(proof: Proof, positive: int, grows: int) -> int:
    """The only maximum over d >= 1, for every c > -1."""
    h = objective(c)
    root = proof.relate(1 + w, ">", 0, "sign", over=ROOTS)
    large = proof.relate(exp(1 + w), ">", 1, "exponential", root, over=ROOTS)
    above_one = proof.relate(AT, ">", 1, "reparametrise", large, over=COSTS, variable=c, image=COST)
    sum_w = proof.relate((1 + w) * exp(1 + w), ">", 0, "sign", over=ROOTS)
    total = proof.relate(AT + c, ">", 0, "reparametrise", sum_w, over=COSTS, variable=c, image=COST)
    before = _rises_before(proof, positive, grows)
    below = proof.relate(
        *(h, "<", h.subs(d, AT), "monotone", before, above_one, total),
        over=(*COSTS, (d, interval(1, AT, "[)"))), function=h, variable=d, low=d, high=AT,
    )  # fmt: skip
    beyond = _lower_beyond(proof, positive, grows)
    domain = interval(1, oo, "[)")
    return proof.line(Maximum(h, d, domain, AT, COSTS), "largest", below, beyond, above_one, total)


def _rises_before(proof: Proof, positive: int, grows: int) -> int:
    """h' > 0 for 1 < d < d*, first for d = exp(1 + w - u), then for all d, then for all c."""
    near = (*ROOTS, (u, interval(0, 1 + w)))
    degree = exp(1 + w - u)
    cost = proof.relate(
        *(degree + COST, ">", 0, "linear", positive),
        over=near,
        c1=degree,
        rest=(w + 1 - u) * exp(1 + w),
    )
    scale = (degree + COST) ** -2
    sign = proof.relate(
        *(slope(COST).subs(d, degree), ">", 0, "linear", positive, grows, cost), over=near,
        c1=scale, c2=(w + 1 - u) * scale, c3=0,
    )  # fmt: skip
    here = (*ROOTS, (d, interval(1, exp(1 + w))))
    in_d = proof.relate(
        *(slope(COST), ">", 0, "reparametrise", sign, cost), over=here, variable=d, image=degree
    )
    steep = proof.relate((1 + w) * exp(1 + w), ">", 0, "sign", over=ROOTS)
    least = proof.relate(
        *(COST, ">", -1, "monotone", steep), over=ROOTS, function=COST, variable=w, low=-1, high=w
    )
    defined = proof.relate(d + COST, ">", 0, "linear", least, over=here, rest=d - 1)
    return proof.relate(
        *(slope(c), ">", 0, "reparametrise", in_d, defined),
        over=(*COSTS, (d, interval(1, AT))), variable=c, image=COST,
    )  # fmt: skip


def _lower_beyond(proof: Proof, positive: int, grows: int) -> int:
    """h(d) < h(d*) for d > d*, first for c = w exp(1 + w), then for all c."""
    far = (*ROOTS, (u, above(0)))
    degree = exp(1 + w + u)
    cost = proof.relate(
        *(degree + COST, ">", 0, "linear", grows),
        over=far,
        c1=exp(1 + w),
        rest=(1 + w) * exp(1 + w),
    )
    scale = exp(-u) * (degree + COST) ** -2
    sign = proof.relate(
        *(slope(COST).subs(d, degree), "<", 0, "linear", positive, grows, cost), over=far,
        c1=scale, c2=(1 + w) * scale, c3=0,
    )  # fmt: skip
    here = (*ROOTS, (d, above(exp(1 + w))))
    falls = proof.relate(
        *(slope(COST), "<", 0, "reparametrise", sign, cost), over=here, variable=d, image=degree
    )
    h = objective(COST)
    lower = proof.relate(
        *(h, "<", h.subs(d, exp(1 + w)), "monotone", falls),
        over=here, function=h, variable=d, low=exp(1 + w), high=d,
    )  # fmt: skip
    goal = objective(c)
    same_cost = proof.relate(
        *(AT.xreplace({c: COST}) + COST, ">", 0, "linear"), over=ROOTS, rest=(1 + w) * exp(1 + w)
    )
    return proof.relate(
        *(goal, "<", goal.subs(d, AT), "reparametrise", lower, same_cost),
        over=(*COSTS, (d, above(AT))), variable=c, image=COST,
    )  # fmt: skip


def _ratio(proof: Proof, domain: Domain) -> int:
    """exp(1 + W0(c/e)) = c/W0(c/e) on either side of c = 0."""
    roots = interval(-1, 0) if domain.high == 0 else above(0)
    flat = proof.relate(exp(1 + w), "=", COST / w, "field", over=((w, roots),))
    return proof.relate(
        *(AT, "=", c / LambertW(c / E), "reparametrise", flat),
        over=((c, domain),),
        variable=c,
        image=COST,
    )


def _boundary(proof: Proof) -> tuple[int, int]:
    """At c = -1 the optimum is 1 in the limit: 1/d < ln d/(d - 1) < 1 for d > 1."""
    over = ((d, above(1)),)
    high, low = log(d) - d, log(d) + 1 / d
    falls = proof.relate(1 / d - 1, "<", 0, "linear", over=over, rest=(d - 1) / d)
    under = proof.relate(
        high, "<", -1, "monotone", falls, over=over, function=high, variable=d, low=1, high=d
    )
    rises = proof.relate((d - 1) / d**2, ">", 0, "sign", over=over)
    above_one = proof.relate(
        low, ">", 1, "monotone", rises, over=over, function=low, variable=d, low=1, high=d
    )
    h = objective(-1)
    return (
        proof.relate(h, "<", 1, "linear", under, over=over, c1=1 / (d - 1)),
        proof.relate(h, ">", 1 / d, "linear", above_one, over=over, c1=1 / (d - 1)),
    )


def derive_counting_table() -> Derivation:
    """Best integers for c = -1, ..., 3, and the interval of c on which 3 is best."""
    proof = Proof()
    parts = [_table_row(proof, extra, best) for extra, best in TABLE]
    parts += [_three_inside(proof), *_three_outside(proof)]
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()


def _falls_from(proof: Proof, start: int, extra: Expr | int, over: Domains = ()) -> int:
    """h' < 0 for d > start, where start (ln start - 1) > extra; with d = start e^t."""
    grows = _exponential_grows(proof, t)
    degree = start * exp(t)
    below = start * (log(start) - 1)
    scale = 1 / (degree * (degree + extra) ** 2)
    here = (*over, (t, above(0)))
    cost = proof.relate(
        degree + extra, ">", 0, "linear", grows, over=here, c1=start, rest=Integer(start) + extra
    )
    sign = proof.relate(
        *(slope(extra).subs(d, degree), "<", 0, "linear", grows, cost), over=here,
        c1=scale * below, c2=0, rest=scale * (start * t * exp(t) + below - extra),
    )  # fmt: skip
    return proof.relate(
        *(slope(extra), "<", 0, "reparametrise", sign, cost),
        over=(*over, (d, above(start))), variable=d, image=degree,
    )  # fmt: skip


def _beyond(proof: Proof, extra: int, start: int, best: int, point: Expr, over: Domains) -> int:
    """h(point) < h(best) for all points beyond `start`, an integer where h falls already."""
    h = objective(extra)
    falls = _falls_from(proof, start, extra)
    goal = h.subs(d, point)
    lower = proof.relate(
        *(goal, "<", h.subs(d, start), "monotone", falls),
        over=over, function=h, variable=d, low=start, high=point,
    )  # fmt: skip
    if start == best:
        return lower
    less = proof.relate(h.subs(d, start), "<", h.subs(d, best), "ground")
    return proof.relate(goal, "<", h.subs(d, best), "linear", lower, less, over=over)


def _table_row(proof: Proof, extra: int, best: int) -> int:
    """The only maximum over the integers, one by one up to where h falls."""
    h, top = objective(extra), objective(extra).subs(d, best)
    first = 2 if extra == -1 else 1
    start = max(best, 3)
    while start * (log(start) - 1) <= extra:
        start += 1
    tail = _beyond(proof, extra, start, best, d, ((d, integers(start + 1)),))
    premises = []
    if first < best:
        premises.append(
            proof.relate(h, "<", top, "enumerate", over=((d, integers(first, best - 1)),))
        )
    if best < start:
        near = proof.relate(h, "<", top, "enumerate", over=((d, integers(best + 1, start)),))
        tail = proof.relate(h, "<", top, "cases", near, tail, over=((d, integers(best + 1)),))
    return proof.line(Maximum(h, d, integers(first), Integer(best)), "largest", *premises, tail)


def _three_inside(proof: Proof) -> int:
    """3 is the best integer for every c strictly between the ties with 2 and with 4."""
    low, high = switch_point(2), switch_point(3)
    over = ((c, interval(low, high)),)
    h = objective(c)
    top = h.subs(d, 3)
    one = proof.relate(0, "<", top, "sign", over=over)
    after = proof.relate(c, ">", low, "sign", over=over)
    two = proof.relate(
        *(h.subs(d, 2), "<", top, "linear", after),
        over=over,
        c1=(log(3) - log(2)) / ((2 + c) * (3 + c)),
    )
    until = proof.relate(c, "<", high, "sign", over=over)
    four = proof.relate(
        *(h.subs(d, 4), "<", top, "linear", until),
        over=over,
        c1=(log(4) - log(3)) / ((3 + c) * (4 + c)),
    )
    falls = _falls_from(proof, 4, c, over)
    far = (*over, (d, integers(5)))
    beyond = proof.relate(
        *(h, "<", h.subs(d, 4), "monotone", falls), over=far, function=h, variable=d, low=4, high=d
    )
    lower = proof.relate(h, "<", top, "linear", beyond, four, over=far)
    single = [
        proof.relate(h, "<", top, "point", line, over=(*over, (d, integers(at, at))))
        for at, line in ((1, one), (2, two), (4, four))
    ]
    below = proof.relate(h, "<", top, "cases", *single[:2], over=(*over, (d, integers(1, 2))))
    above_three = proof.relate(
        h, "<", top, "cases", single[2], lower, over=(*over, (d, integers(4)))
    )
    return proof.line(Maximum(h, d, integers(1), Integer(3), over), "largest", below, above_three)


def _three_outside(proof: Proof) -> tuple[int, int]:
    """At the ties and outside them 2 or 4 is at least as good."""
    h = objective(c)
    low, high = switch_point(2), switch_point(3)
    few = ((c, interval(-1, low, "(]")),)
    many = ((c, interval(high, oo, "[)")),)
    before = proof.relate(c, "<=", low, "sign", over=few)
    after = proof.relate(c, ">=", high, "sign", over=many)
    return (
        proof.relate(
            *(h.subs(d, 2), ">=", h.subs(d, 3), "linear", before), over=few,
            c1=(log(3) - log(2)) / ((2 + c) * (3 + c)),
        ),
        proof.relate(
            *(h.subs(d, 4), ">=", h.subs(d, 3), "linear", after), over=many,
            c1=(log(4) - log(3)) / ((3 + c) * (4 + c)),
        ),
    )  # fmt: skip


def derive_odd() -> Derivation:
    """Among the odd degrees 2k + 1 from 3 on, 3 is best for c = -1, 0 and 1."""
    proof = Proof()
    odd = 2 * k + 1
    parts = []
    for extra in (-1, 0, 1):
        h = objective(extra)
        goal, top = h.subs(d, odd), h.subs(d, 3)
        tail = _beyond(proof, extra, 5, 3, odd, ((k, integers(3)),))
        five = proof.relate(goal, "<", top, "enumerate", over=((k, integers(2, 2)),))
        beyond = proof.relate(goal, "<", top, "cases", five, tail, over=((k, integers(2)),))
        parts.append(proof.line(Maximum(goal, k, integers(1), Integer(1)), "largest", beyond))
    proof.line(Every(tuple(proof.statement(part) for part in parts)), "every", *parts)
    return proof.done()
