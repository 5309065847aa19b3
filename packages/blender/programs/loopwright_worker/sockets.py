"""The sockets of nodes: found by name, described in short, and given values that they can hold."""

from . import versions
from .refusal import Refusal, nearest

NUMBERS = {"VALUE": float, "INT": int}
SLIDER = 10_000


def usable(sockets):
    return [each for each in sockets if each.enabled and not getattr(each, "is_unavailable", False) and each.type != "CUSTOM"]


def find(node, side, given):
    """A socket by its name, its identifier, or its number where several have one name."""
    sockets = usable(node.inputs if side == "input" else node.outputs)
    for each in sockets:
        if each.identifier == given:
            return each
    named = [each for each in sockets if each.name.lower() == str(given).lower()]
    if len(named) == 1 or (named and len({each.type for each in named}) == 1 and side == "output"):
        return named[0]
    if named:
        choices = ", ".join(f"'{each.identifier}' ({each.type})" for each in named)
        raise Refusal(f"'{node.name}' has {len(named)} {side}s called '{given}': name one of {choices}.")
    if isinstance(given, int) or (isinstance(given, str) and given.isdigit()):
        if 0 <= int(given) < len(sockets):
            return sockets[int(given)]
    names = [each.name for each in sockets]
    raise Refusal(f"'{node.name}' has no {side} '{given}'.{nearest(given, names)}{all_of(names)}")


def all_of(names):
    return f" Its sockets are {', '.join(repr(name) for name in names)}." if names else ""


def describe(node):
    """A node's inputs with their values, and its outputs, as a tool's user needs them."""
    inputs = [describe_input(each, node) for each in usable(node.inputs)]
    outputs = [f"{shown(each, node.outputs)}: {each.type}" for each in usable(node.outputs)]
    return {"node": node.name, "type": node.bl_idname, "inputs": inputs, "outputs": outputs}


def describe_input(socket, node):
    text = f"{shown(socket, node.inputs)}: {socket.type}"
    if socket.is_linked:
        return f"{text} (linked)"
    value = plain(getattr(socket, "default_value", None))
    return text if value is None else f"{text} = {value}"


def shown(socket, sockets):
    """Its name, and its identifier where the name is not its own."""
    twins = [each for each in usable(sockets) if each.name == socket.name]
    return socket.name if len(twins) == 1 else f"{socket.name} [{socket.identifier}]"


def plain(value):
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return round(value, 5)
    if hasattr(value, "name"):
        return value.name
    try:
        return [round(float(each), 5) for each in value]
    except (TypeError, ValueError):
        return None


def put(socket, value, place):
    """Gives a socket a value; one that Blender would cut to its range is refused, and the range is said."""
    if not hasattr(socket, "default_value"):
        raise Refusal(f"{place} takes a link and no value: connect something to it.")
    wanted = convert(socket, value, place)
    low, high = limits(socket)
    numbers = wanted if isinstance(wanted, list) else [wanted]
    if low is not None and any(not low <= each <= high for each in numbers):
        raise Refusal(f"{place} cannot be {value}: it must be {words(low, high)}.")
    before = exact(socket)
    try:
        socket.default_value = wanted
    except (TypeError, ValueError) as error:
        raise Refusal(f"{place} is {socket.type} and cannot be {value!r} ({error}).") from None
    return before


def exact(socket):
    value = socket.default_value
    return list(value) if socket.type in {"VECTOR", "RGBA"} else value


def convert(socket, value, place):
    if socket.type in NUMBERS:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Refusal(f"{place} is {socket.type}: give a number, not {value!r}.")
        if socket.type == "INT" and value != int(value):
            raise Refusal(f"{place} is a whole number: give {round(value)}, not {value}.")
        return NUMBERS[socket.type](value)
    if socket.type in {"VECTOR", "RGBA"}:
        length = len(socket.default_value)
        if not isinstance(value, (list, tuple)) or len(value) != length:
            raise Refusal(f"{place} is {socket.type}: give a list of {length} numbers.")
        return [float(each) for each in value]
    return look_up(socket, value, place)


def look_up(socket, value, place):
    """Things of the file go by their names."""
    import bpy

    places = {"OBJECT": bpy.data.objects, "MATERIAL": bpy.data.materials, "COLLECTION": bpy.data.collections, "IMAGE": bpy.data.images}
    things = places.get(socket.type)
    if things is None or value is None:
        return value
    if value not in things:
        raise Refusal(f"{place}: there is no {socket.type.lower()} '{value}'.{nearest(value, things.keys())}")
    return things[value]


def limits(socket):
    """The least and the most that a socket takes; none where it is not said, or only how far a slider goes."""
    low, high = versions.socket_range(socket) if socket.type in {"VALUE", "INT", "VECTOR"} else (None, None)
    return (None, None) if (low, high) == (-SLIDER, SLIDER) else (low, high)


def words(low, high):
    if high >= 2**31 - 1 or high > 1e30:
        return f"at least {plain(low)}"
    return f"at most {plain(high)}" if low < -1e30 or low <= -(2**31) + 1 else f"from {plain(low)} to {plain(high)}"
