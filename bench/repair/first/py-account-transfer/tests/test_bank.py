import pytest

from bank import Bank
from errors import AccountClosed, BankError, InsufficientFunds


@pytest.fixture
def bank():
    b = Bank()
    b.open("ann", 10_00)
    b.open("ben")
    return b


def test_transfer_moves_money(bank):
    bank.transfer("ann", "ben", 4_00)
    assert bank._accounts["ann"].balance == 6_00
    assert bank._accounts["ben"].balance == 4_00


def test_overdraft_is_refused(bank):
    with pytest.raises(InsufficientFunds):
        bank.transfer("ann", "ben", 10_01)
    assert bank.total() == 10_00


def test_whole_balance_may_go(bank):
    bank.transfer("ann", "ben", 10_00)
    assert bank._accounts["ann"].balance == 0


def test_transfer_to_closed_account_leaves_source_alone(bank):
    bank.close("ben")
    with pytest.raises(AccountClosed):
        bank.transfer("ann", "ben", 1_00)
    assert bank._accounts["ann"].balance == 10_00


def test_account_with_money_cannot_be_closed(bank):
    with pytest.raises(BankError):
        bank.close("ann")
