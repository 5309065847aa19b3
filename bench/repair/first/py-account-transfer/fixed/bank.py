from dataclasses import dataclass, field

from errors import AccountClosed, BankError, InsufficientFunds


@dataclass
class Account:
    owner: str
    balance: int = 0  # in cents
    closed: bool = False
    history: list = field(default_factory=list)

    def require_open(self):
        if self.closed:
            raise AccountClosed(self.owner)

    def deposit(self, cents):
        if cents <= 0:
            raise BankError("amount must be positive")
        self.require_open()
        self.balance += cents
        self.history.append(cents)

    def withdraw(self, cents):
        if cents <= 0:
            raise BankError("amount must be positive")
        self.require_open()
        if cents > self.balance:
            raise InsufficientFunds(self.owner)
        self.balance -= cents
        self.history.append(-cents)


class Bank:
    def __init__(self):
        self._accounts = {}

    def open(self, owner, cents=0):
        account = Account(owner)
        if cents:
            account.deposit(cents)
        self._accounts[owner] = account
        return account

    def close(self, owner):
        account = self._accounts[owner]
        if account.balance:
            raise BankError("account is not empty")
        account.closed = True

    def transfer(self, source, target, cents):
        giver = self._accounts[source]
        taker = self._accounts[target]
        taker.require_open()
        giver.withdraw(cents)
        taker.deposit(cents)

    def total(self):
        return sum(a.balance for a in self._accounts.values())
