"""Matricisation: the values of a function on a grid of templates, as a matrix.

With templates x_1, ..., x_M and a function y of N arguments, the tensor is
A[j_1, ..., j_N] = y(x_{j_1}, ..., x_{j_N}). For A = {a_1 < a_2 < ...}, B = {b_1 < b_2 < ...}
entry A[j] stands in the row and column (all counted from 0)

    row = sum_t j_{a_t} M^(|A| - t),   column = sum_t j_{b_t} M^(|B| - t).

The seed states this for |A| = |B| = N/2. The rank of this matrix is at most the separation rank,
for any function and any templates: the values of g(a) g'(b) make a matrix of rank at most 1.

Source: seed 002, sections 4.3 and 5.1.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from sympy import Expr, Float, NDimArray, SympifyError, sympify

from .arguments import SeparationError, places, whole

Rows = tuple[tuple[Expr, ...], ...]
LARGEST = 10**7


def matricisation_index(
    position: Sequence[int], left: Iterable[int], right: Iterable[int], size: int
) -> tuple[int, int]:
    """Row and column of the tensor entry at `position`; each of its indices runs from 0 to
    `size` - 1."""
    number = whole("size", size)
    for index in position:
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < number:
            raise SeparationError(
                f"position: expected indices from 0 to {number - 1}; got {index!r}."
            )
    one, two = (sorted(side) for side in places(left, right, len(position)))
    return _digits(position, one, number), _digits(position, two, number)


def matricise(
    tensor_or_function: Any,
    left: Iterable[int],
    right: Iterable[int],
    templates: Sequence[Any] | None = None,
) -> Rows:
    """The matrix of a tensor, or of a function on all choices of `templates`.

    A tensor is a nested sequence or a SymPy array with equal sides, and needs no templates. A
    function is called with one template for each position of `left` and `right`; what it returns
    must be exact. Positions count from 0. Each side is taken in ascending order, as the seed does.
    """
    if callable(tensor_or_function) and not isinstance(tensor_or_function, NDimArray):
        value, size = _of_function(tensor_or_function, templates)
        one, two = places(left, right, None)
    else:
        if templates is not None:
            raise SeparationError(
                "templates: expected none beside a tensor, which holds the values already. "
                "Pass a function to evaluate it at templates."
            )
        value, size, order = _of_tensor(tensor_or_function)
        one, two = places(left, right, order)
    if size ** (len(one) + len(two)) > LARGEST:
        raise SeparationError(
            f"templates: expected at most {LARGEST} entries; got {size}^{len(one) + len(two)}."
        )
    rows = [[None] * size ** len(two) for _ in range(size ** len(one))]
    one, two = tuple(sorted(one)), tuple(sorted(two))
    for position in product(range(size), repeat=len(one) + len(two)):
        row, column = _digits(position, one, size), _digits(position, two, size)
        rows[row][column] = value(position)
    return tuple(map(tuple, rows))


def _digits(position: Sequence[int], places: Sequence[int], size: int) -> int:
    """The indices at `places` as the digits of one number, the first one leading."""
    return sum(position[place] * size ** (len(places) - t) for t, place in enumerate(places, 1))


def _of_function(
    function: Callable[..., Any], templates: Sequence[Any] | None
) -> tuple[Callable[[tuple[int, ...]], Expr], int]:
    if isinstance(templates, str) or not isinstance(templates, Sequence) or not templates:
        raise SeparationError(
            f"templates: expected a sequence of at least one template; got {templates!r}. "
            "Pass the arguments at which to evaluate the function."
        )
    return lambda position: _exact(function(*(templates[j] for j in position))), len(templates)


def _of_tensor(tensor: Any) -> tuple[Callable[[tuple[int, ...]], Expr], int, int]:
    if isinstance(tensor, NDimArray):
        tensor = tensor.tolist()
    shape = tuple(_shape(tensor))
    if not shape or len(set(shape)) != 1 or shape[0] == 0:
        raise SeparationError(
            f"tensor_or_function: expected a function, or nested sequences with equal sides; got "
            f"{'the shape ' + str(shape) if shape else repr(tensor)}. Call tolist() on an array."
        )
    _require_full(tensor, shape)

    def value(position: tuple[int, ...]) -> Expr:
        entry = tensor
        for index in position:
            entry = entry[index]
        return _exact(entry)

    return value, shape[0], len(shape)


def _is_nested(tensor: Any) -> bool:
    return isinstance(tensor, Sequence) and not isinstance(tensor, str)


def _shape(tensor: Any) -> Iterator[int]:
    while _is_nested(tensor):
        yield len(tensor)
        tensor = tensor[0] if len(tensor) else None


def _require_full(tensor: Any, shape: tuple[int, ...]) -> None:
    if not shape:
        full = not _is_nested(tensor)
    else:
        full = _is_nested(tensor) and len(tensor) == shape[0]
    if not full:
        raise SeparationError(
            f"tensor_or_function: expected nested sequences of one shape; got {tensor!r} where "
            f"the shape {shape} was expected."
        )
    for part in tensor if shape else ():
        _require_full(part, shape[1:])


def _exact(value: Any) -> Expr:
    try:
        exact = sympify(value, strict=True)
    except SympifyError:
        exact = None
    plain = isinstance(exact, Expr) and not isinstance(value, bool)
    if not plain or exact is None or exact.has(Float):
        raise SeparationError(
            f"tensor_or_function: expected exact entries (int, Fraction, SymPy); got {value!r}. "
            "Write Fraction(1, 2) for 0.5."
        )
    return exact
