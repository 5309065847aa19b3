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
    done = set()
    stack = []

    def visit(task):
        if task in done:
            return
        if task in stack:
            raise CycleError(stack[stack.index(task):] + [task])
        stack.append(task)
        for need in rules.get(task, []):
            visit(need)
        stack.pop()
        done.add(task)
        order.append(task)

    visit(goal)
    return order
