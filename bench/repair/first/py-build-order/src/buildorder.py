class CycleError(Exception):
    def __init__(self, path):
        super().__init__(" -> ".join(path))
        self.path = path


def parse_rules(text):
    """Lines like 'app: lib util' into {'app': ['lib', 'util']}."""
    rules = {}
    for line in text.splitlines():
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        target, _, needs = line.partition(":")
        rules.setdefault(target.strip(), []).extend(needs.split())
    return rules


def build_order(rules, goal):
    """Everything needed for goal, dependencies first, each once."""
    order = []
    seen = []

    def visit(task):
        if task in seen:
            raise CycleError(seen[seen.index(task):] + [task])
        seen.append(task)
        for need in rules.get(task, []):
            visit(need)
        order.append(task)

    visit(goal)
    return order
