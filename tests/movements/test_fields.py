"""The finite fields that plans use: their addition by digits and their product obey the laws of a field."""

import pytest

from movements.search.fields import find_field, minus, prime_powers, product, shift_tables

FIELDS = [
    (2, 1),
    (2, 2),
    (2, 3),
    (2, 4),
    (2, 5),
    (2, 6),
    (2, 7),
    (3, 2),
    (3, 3),
    (3, 4),
    (5, 2),
    (5, 3),
    (7, 1),
    (7, 2),
]


@pytest.mark.parametrize(("p", "k"), FIELDS)
def test_field_has_every_quotient_once(p, k):
    q, times = p**k, find_field(p, k).times
    assert [times(1, a) for a in range(q)] == list(range(q))
    assert [times(0, a) for a in range(q)] == [0] * q
    assert all(sorted(times(a, b) for b in range(q)) == list(range(q)) for a in range(1, q))


@pytest.mark.parametrize(("p", "k"), [(2, 2), (2, 3), (3, 2), (2, 4), (5, 2)])
def test_field_product_distributes_over_differences(p, k):
    q, times, moduli = p**k, find_field(p, k).times, (p,) * k
    assert all(
        times(a, minus(moduli, b, c)) == minus(moduli, times(a, b), times(a, c))
        for a in range(q)
        for b in range(q)
        for c in range(q)
    )


def test_no_field_where_there_is_no_prime():
    with pytest.raises(ArithmeticError):
        find_field(6, 1)


@pytest.mark.parametrize(("n", "parts"), [(1, []), (5, [(5, 1)]), (72, [(2, 3), (3, 2)]), (98, [(2, 1), (7, 2)])])
def test_prime_powers(n, parts):
    assert prime_powers(n) == parts


def test_product_works_part_by_part():
    ring = product(40)
    assert (ring.moduli, ring.same(1), ring.same(4)) == ((2, 2, 2, 5), 6, 24)
    for a in range(40):
        for b in range(40):
            parts = find_field(2, 3).times(a // 5, b // 5), a % 5 * (b % 5) % 5
            assert ring.times(a, b) == parts[0] * 5 + parts[1]


@pytest.mark.parametrize("moduli", [(7,), (2, 6), (2, 2, 3)])
def test_shifted_is_minus_at_every_table(moduli):
    n = len(shift_tables(moduli, 0))
    assert all(shift_tables(moduli, shift) == [minus(moduli, table, shift) for table in range(n)] for shift in range(n))
