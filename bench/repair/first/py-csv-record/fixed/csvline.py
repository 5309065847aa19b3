def parse_record(line, sep=","):
    """Split one line of CSV into its fields."""
    fields = []
    field = ""
    quoted = False
    i = 0
    while i < len(line):
        c = line[i]
        if quoted:
            if c != '"':
                field += c
            elif line[i + 1 : i + 2] == '"':
                field += '"'
                i += 1
            else:
                quoted = False
        elif c == '"':
            quoted = True
        elif c == sep:
            fields.append(field)
            field = ""
        else:
            field += c
        i += 1
    if quoted:
        raise ValueError("quote is never closed")
    fields.append(field)
    return fields


def parse_table(text, sep=","):
    """Rows as dictionaries, with the first line as header."""
    lines = [line for line in text.splitlines() if line]
    header = parse_record(lines[0], sep)
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        record = parse_record(line, sep)
        if len(record) != len(header):
            raise ValueError(f"line {number}: {len(record)} fields instead of {len(header)}")
        rows.append(dict(zip(header, record)))
    return rows
