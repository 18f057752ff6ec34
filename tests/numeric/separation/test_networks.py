"""Values against the definitions in Python's integers; random networks; good and bad input."""

import numpy as np
import pytest

from lemmata.numeric import separation
from lemmata.numeric.errors import NumericError
from lemmata.numeric.separation import networks

PRIME = separation.PRIME


NETWORKS = [
    *(
        separation.random_attention(*size, seed=3)
        for size in [
            (1, 1, 1),
            (1, 2, 2),
            (2, 2, 1),
            (2, 3, 2),
            (3, 2, 2),
            (2, 4, 2, 2),
            (2, 4, 1, 4),
            (1, 2, 2, 1, 5),
            (2, 2, 1, 2, 5),
            (1, 3, 2, 3, 7),
            (1, 17, 1),
        ]
    ),
    *(
        separation.random_hadamard(*size, seed=3)
        for size in [
            (1, 1, 1),
            (1, 2, 1, 1),
            (2, 3, 2),
            (3, 2, 3, 4),
            (2, 5, 1, 3),
            (20, 2, 2, 18),
        ]
    ),
]


@pytest.mark.parametrize("network", NETWORKS)
def test_values_are_those_of_the_definition(network, by_definition):
    left = networks.random_points(3, network.coordinates, PRIME, 1, networks.LEFT)
    right = networks.random_points(4, network.coordinates, PRIME, 1, networks.RIGHT)
    values = separation.values_mod(network, left, right)
    assert values.tolist() == [[by_definition(network, a, b) % PRIME for b in right] for a in left]


def test_points_may_be_any_integers(by_definition):
    network = separation.random_hadamard(1, 2, 2, seed=1)
    left, right = ((-1,), (10**40,)), ((PRIME,), (-(2**64),))
    expected = [[by_definition(network, a, b) % PRIME for b in right] for a in left]
    assert separation.values_mod(network, left, right).tolist() == expected
    assert separation.values_mod(network, left, right, 7).tolist() == [
        [by_definition(network, a, b) % 7 for b in right] for a in left
    ]


def test_many_points_are_taken_in_pieces():
    network = separation.random_attention(1, 2, 1, seed=2)
    left = networks.random_points(300, 2, PRIME, 5, networks.LEFT)
    right = networks.random_points(100, 2, PRIME, 5, networks.RIGHT)
    whole = separation.values_mod(network, left, right)
    assert whole.shape == (300, 100)
    for i in (0, 80, 81, 299):
        assert (whole[i] == separation.values_mod(network, left[i : i + 1], right)[0]).all()


@pytest.mark.parametrize("points", [(), ((1,),), ((1, 2), (3,)), ((1, 2, 3),)])
def test_points_of_another_size_are_refused(points):
    network = separation.random_attention(1, 2, 1)
    with pytest.raises(NumericError, match="left: expected points of 2 coordinates"):
        separation.values_mod(network, points, ((1, 2),))
    with pytest.raises(NumericError, match="right: expected points of 2 coordinates"):
        separation.values_mod(network, ((1, 2),), points)


def test_random_networks_are_functions_of_their_arguments():
    assert separation.random_attention(2, 4, 2, 2, seed=5) == separation.random_attention(
        2, 4, 2, 2, seed=5
    )
    assert separation.random_attention(2, 2, 2, seed=5) != separation.random_attention(
        2, 2, 2, seed=6
    )
    assert separation.random_hadamard(2, 3, 2, seed=5) == separation.random_hadamard(
        2, 3, 2, seed=5
    )
    assert separation.random_hadamard(2, 3, 2, seed=5) != separation.random_hadamard(
        2, 3, 2, seed=6
    )


def test_weights_keep_to_their_bound():
    network = separation.random_hadamard(2, 3, 3, 4, seed=1, bound=2)
    entries = {e for layer in network.weights for matrix in layer for row in matrix for e in row}
    assert entries == {-2, -1, 0, 1, 2}


def test_fewer_points_are_the_first_of_more():
    few, many = (networks.random_points(count, 3, PRIME, 7, networks.LEFT) for count in (5, 50))
    assert few == many[:5]
    assert few != networks.random_points(5, 3, PRIME, 7, networks.RIGHT)


def test_a_network_tells_its_shape():
    network = separation.random_attention(3, 6, 2, 2, 5)
    assert (network.layers, network.heads, network.degree) == (3, 2, 5)
    assert (network.grades, network.total_degree, network.coordinates) == (62, 125, 12)
    product = separation.random_hadamard(4, 3, 2, 5)
    assert (product.depth, product.width, product.degree) == (2, 5, 3)
    assert (product.grades, product.total_degree, product.coordinates) == (9, 9, 4)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((0, 2, 2), "layers"),
        ((1, 0, 2), "width"),
        ((1, 2, 0), "tokens"),
        ((1, 4, 2, 0), "heads"),
        ((1, 4, 2, 3), "heads: expected a divisor of width = 4"),
        ((1, 2, 2, 4), "heads: expected a divisor of width = 2"),
        ((1, 2, 2, 1, 2), "degree: expected an odd number"),
        ((1, 2, 2, 1, 4), "layers do not compose"),
        ((1, 2, 2, 1, 1), "degree: expected an odd number of at least 3"),
        ((1, 2.0, 2), "width"),
        ((True, 2, 2), "layers"),
    ],
)
def test_attention_of_no_shape_is_refused(arguments, word):
    with pytest.raises(NumericError, match=word):
        separation.random_attention(*arguments)
    with pytest.raises(NumericError, match=word):
        separation.attention_rank(*arguments)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((0, 2, 2), "inputs"),
        ((1, 0, 2), "degree"),
        ((1, 2, 0), "depth"),
        ((1, 2, 1, 0), "width"),
        ((1, "2", 1), "degree"),
    ],
)
def test_products_of_no_shape_are_refused(arguments, word):
    with pytest.raises(NumericError, match=word):
        separation.random_hadamard(*arguments)
    with pytest.raises(NumericError, match=word):
        separation.hadamard_rank(*arguments)


@pytest.mark.parametrize("seed", [-1, 1.5, "0"])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(ValueError, match="seed"):
        separation.attention_rank(1, 2, 1, seed=seed)


@pytest.mark.parametrize("bound", [0, -1, 2.5])
def test_a_bound_that_leaves_no_choice_is_refused(bound):
    with pytest.raises(NumericError, match="bound"):
        separation.random_attention(1, 2, 1, bound=bound)
    with pytest.raises(NumericError, match="bound"):
        separation.random_hadamard(1, 2, 1, bound=bound)


ONE = ((1, 0), (0, 1))
HEAD = ((ONE, ONE), (ONE, ONE))


@pytest.mark.parametrize(
    ("width", "weights", "word"),
    [
        (2, (), "layers"),
        (2, ((),), "heads"),
        (2, (((),),), "degree"),
        (2, (((((ONE, ONE),)),),), "degree: expected an odd"),
        (2, ((HEAD,), (HEAD, HEAD)), r"weights\[1\]: expected 1 heads"),
        (2, ((HEAD,), (HEAD[:1],)), r"weights\[1\]: expected 1 heads of 2 weights"),
        (4, ((HEAD,),), "expected a 4 x 4 matrix"),
        (2, ((HEAD, HEAD),), "expected a 2 x 1 matrix"),
        (2, ((((ONE, ONE), (ONE, ((1, 0), (0, 0.5)))),),), "integers"),
    ],
)
def test_attention_weights_of_another_shape_are_refused(width, weights, word):
    with pytest.raises(NumericError, match=word):
        separation.AttentionNetwork(width, 1, weights)


@pytest.mark.parametrize(
    ("weights", "readout", "word"),
    [
        ((), (1, 1), "depth"),
        (((),), (1, 1), "degree"),
        (((ONE, ONE),), (), "width"),
        (((ONE, ONE), (ONE,)), (1, 1), r"weights\[1\]: expected 2 matrices"),
        (((ONE, ((1, 2),)),), (1, 1), "expected a 2 x 2 matrix"),
        (((ONE, ((1, 2), (3,))),), (1, 1), "expected a 2 x 2 matrix"),
        (((ONE, ONE),), (1, 0.5), "readout"),
        (((ONE, ONE), (((1, 2, 3),) * 2, ONE)), (1, 1), "expected a 2 x 2 matrix"),
    ],
)
def test_product_weights_of_another_shape_are_refused(weights, readout, word):
    with pytest.raises(NumericError, match=word):
        separation.HadamardNetwork(1, weights, readout)


def test_caps_are_the_fewer_monomials():
    network = separation.random_hadamard(2, 3, 2)
    assert [network.cap(k) for k in range(10)] == [1, 2, 3, 4, 5, 5, 4, 3, 2, 1]
    narrow = separation.random_hadamard(9, 2, 2, 2)
    assert [narrow.cap(k) for k in range(5)] == [1, 4, 10, 4, 1]
    assert [separation.random_attention(2, 2, 3).cap(k) for k in range(5)] == [1, 3, 6, 6, 2]
    assert [separation.random_attention(2, 2, 1).cap(k) for k in range(5)] == [1, 3, 5, 4, 2]


def test_arrays_of_values_are_int64():
    network = separation.random_hadamard(1, 2, 1)
    assert separation.values_mod(network, ((1,),), ((2,),)).dtype == np.int64
