class BankError(Exception):
    pass


class InsufficientFunds(BankError):
    pass


class AccountClosed(BankError):
    pass
