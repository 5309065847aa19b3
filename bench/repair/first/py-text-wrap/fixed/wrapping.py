def wrap(text, width):
    """Greedy word wrap. A word longer than the width gets a line of its own."""
    lines = []
    current = []
    length = 0
    for word in text.split():
        if current and length + 1 + len(word) > width:
            lines.append(" ".join(current))
            current = [word]
            length = len(word)
        else:
            length += len(word) + (1 if current else 0)
            current.append(word)
    if current:
        lines.append(" ".join(current))
    return lines


def justify(line, width):
    """Pad the gaps so that the line fills the width; left gaps get the extra spaces."""
    words = line.split()
    if len(words) < 2:
        return line
    gaps = len(words) - 1
    spaces = width - sum(len(w) for w in words)
    if spaces < gaps:
        return line
    each, extra = divmod(spaces, gaps)
    out = words[0]
    for i, word in enumerate(words[1:]):
        out += " " * (each + (1 if i < extra else 0)) + word
    return out


def paragraph(text, width):
    lines = wrap(text, width)
    return "\n".join([justify(line, width) for line in lines[:-1]] + lines[-1:])
