import re


def required(value):
    return None if value not in (None, "") else "is required"


def length(low, high):
    def rule(value):
        if value and not low <= len(value) <= high:
            return f"must have {low} to {high} characters"

    return rule


def matches(pattern, hint):
    compiled = re.compile(pattern)
    return lambda value: None if not value or compiled.fullmatch(value) else hint


def build_form(**fields):
    """Make a validator from field=[rules]; it returns {field: first message}."""
    checks = []
    for name, rules in fields.items():

        def check(data):
            value = data.get(name)
            for rule in rules:
                message = rule(value)
                if message:
                    return name, message
            return None

        checks.append(check)

    def validate(data):
        found = [check(data) for check in checks]
        return dict(item for item in found if item is not None)

    return validate
