import pytest

from bank import Bank
from errors import AccountClosed, BankError, InsufficientFunds


def test_refused_transfer_leaves_no_history():
    bank = Bank()
    ann = bank.open("ann", 500)
    bank.open("old")
    bank.close("old")
    for cents in (1, 500):
        with pytest.raises(AccountClosed):
            bank.transfer("ann", "old", cents)
    assert ann.history == [500]
    assert bank.total() == 500


def test_closed_source():
    bank = Bank()
    bank.open("a")
    b = bank.open("b", 5)
    bank.close("a")
    with pytest.raises(AccountClosed):
        bank.transfer("a", "b", 1)
    assert b.history == [5]


def test_history_of_both_sides():
    bank = Bank()
    a, b = bank.open("a", 100), bank.open("b", 50)
    bank.transfer("a", "b", 30)
    bank.transfer("b", "a", 80)
    assert a.history == [100, -30, 80]
    assert b.history == [50, 30, -80]


@pytest.mark.parametrize("cents, error", [(0, BankError), (-5, BankError), (101, InsufficientFunds)])
def test_bad_amounts(cents, error):
    bank = Bank()
    a, b = bank.open("a", 100), bank.open("b", 1)
    with pytest.raises(error):
        bank.transfer("a", "b", cents)
    assert (a.balance, b.balance) == (100, 1)
