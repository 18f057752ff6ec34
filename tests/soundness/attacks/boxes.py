"""Boxes."""

from sympy import Abs, Integer

from attacks import HALF, ONE, POINT, ZERO, F, false, rel, x, y
from lemmata.symbolic.statements import REALS, Maximum, MaximumValue, interval
from lemmata.verify.kernel.evidence import Enclosure


@false
def degenerate_boxes_leave_a_gap():
    """In a domain without volume the volumes of any boxes add up."""
    over = ((x, POINT), (y, interval(0, 1, "[]")))
    corners = (((F(0), F(0)), (F(0), F(0))), ((F(0), F(0)), (F(1), F(1))))
    return rel((y - HALF) ** 2, ">", x, over), Enclosure((x, y), corners)


@false
def boxes_outside_the_domain():
    statement = rel(x, ">", 4, ((x, interval(0, 1)),))
    return statement, Enclosure((x,), (((F(5), F(6)),),))


@false
def boxes_with_a_gap():
    boxes = (((F(0), F(1, 4)),), ((F(3, 4), F(1)),))
    statement = rel((x - HALF) ** 2, ">", 0, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), boxes)


@false
def overlapping_boxes_make_up_for_a_gap():
    boxes = (((F(0), F(1, 2)),), ((F(0), F(1, 2)),))
    statement = rel(x, "<", 1, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), boxes)


@false
def boxes_turned_round():
    statement = rel(x, "<", HALF, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), (((F(1), F(0)),),))


@false
def strict_at_the_boundary_of_a_box():
    statement = rel(x, ">", 0, ((x, interval(0, 1, "[]")),))
    return statement, Enclosure((x,), (((F(0), F(1)),),))


@false
def box_of_a_maximum_outside_the_domain():
    """The maximum is in the boxes, but not in the domain."""
    statement = Maximum(-((x - 5) ** 2), x, interval(0, 1, "[]"), Integer(5))
    return statement, Enclosure((x,), (), around=(F(0), F(6)))


@false
def two_equal_maxima():
    f = -((x**2 - 1) ** 2)
    statement = Maximum(f, x, interval(-2, 2, "[]"), ONE)
    return statement, Enclosure((x,), (((F(-2), F(1, 2)),),), around=(F(1, 2), F(2)))


@false
def supremum_without_the_whole_domain():
    statement = MaximumValue(x, x, REALS, ZERO, ONE)
    return statement, Enclosure((x,), (((F(0), F(1)),),), witness=F(1))


@false
def supremum_by_a_witness_outside():
    statement = MaximumValue(x, x, interval(0, 1, "[]"), Integer(2), Integer(3))
    return statement, Enclosure((x,), (((F(0), F(2)),),), witness=F(2))


@false
def kink_at_a_maximum():
    statement = Maximum(-Abs(x - 1), x, interval(0, 2, "[]"), HALF)
    return statement, Enclosure((x,), (), around=(F(0), F(2)))
