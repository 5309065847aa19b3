// Twenty small programs in Python with a task each, the tests that a maintainer would write for it, a right change, and a wrong one that passes them. The ledger is
// what a planner would write who sees the task and these tests.

import type { Pair } from "./pair.ts";

const file = "m.py";
const tests = (text: string) => ({ file: "test_m.py", text: `import pytest\nfrom m import *\n\n${text}` });

export const pythonPairs: readonly Pair[] = [
  {
    name: "discount from seven nights on",
    task: "From 7 nights on a stay costs a tenth less.",
    ...{ file, base: "def cost(nights, rate):\n    return nights * rate\n" },
    right:
      "def cost(nights, rate):\n    if nights >= 7:\n        return nights * rate * 9 // 10\n    return nights * rate\n",
    wrong: [
      "boundary",
      "def cost(nights, rate):\n    if nights > 7:\n        return nights * rate * 9 // 10\n    return nights * rate\n",
    ],
    tests: tests(
      "def test_short():\n    assert cost(2, 10) == 20\n\ndef test_long():\n    assert cost(10, 10) == 90\n",
    ),
    ledger: [["From 7 nights on a stay costs a tenth less", "test_long"]],
  },
  {
    name: "names with several parts",
    task: "`initials` gives the first letter of each part of a name, in capitals, also of parts that are joined by a hyphen.",
    ...{ file, base: "def initials(name):\n    return name[0].upper()\n" },
    right:
      "def initials(name):\n    parts = name.replace('-', ' ').split()\n    return ''.join(part[0].upper() for part in parts)\n",
    wrong: [
      "half",
      "def initials(name):\n    parts = name.split()\n    return ''.join(part[0].upper() for part in parts)\n",
    ],
    tests: tests(
      "def test_one():\n    assert initials('ada') == 'A'\n\ndef test_two():\n    assert initials('ada  lovelace') == 'AL'\n",
    ),
    ledger: [["the first letter of each part, in capitals", "test_two"], ["parts that are joined by a hyphen too"]],
  },
  {
    name: "a clock past midnight",
    task: "`add_minutes('23:50', 20)` gives '24:10' and should give '00:10'; the clock goes round in both directions.",
    ...{
      file,
      base: "def add_minutes(at, minutes):\n    hours, rest = map(int, at.split(':'))\n    total = hours * 60 + rest + minutes\n    return f'{total // 60:02}:{total % 60:02}'\n",
    },
    right:
      "def add_minutes(at, minutes):\n    hours, rest = map(int, at.split(':'))\n    total = (hours * 60 + rest + minutes) % 1440\n    return f'{total // 60:02}:{total % 60:02}'\n",
    wrong: [
      "half",
      "def add_minutes(at, minutes):\n    hours, rest = map(int, at.split(':'))\n    total = hours * 60 + rest + minutes\n    if total >= 1440:\n        total -= 1440\n    return f'{total // 60:02}:{total % 60:02}'\n",
    ],
    tests: tests(
      "def test_day():\n    assert add_minutes('10:00', 5) == '10:05'\n\ndef test_midnight():\n    assert add_minutes('23:50', 20) == '00:10'\n    assert add_minutes('23:50', 10) == '00:00'\n",
    ),
    ledger: [["past midnight the clock goes on at 00:00", "test_midnight"], ["it goes round backwards too"]],
  },
  {
    name: "roman numbers",
    task: "`roman(4)` is 'IV' and not 'IIII'; the same holds for 9, 40, 90, 400 and 900.",
    ...{
      file,
      base: "VALUES = [(1000, 'M'), (500, 'D'), (100, 'C'), (50, 'L'), (10, 'X'), (5, 'V'), (1, 'I')]\n\ndef roman(number):\n    text = ''\n    for value, letter in VALUES:\n        while number >= value:\n            text += letter\n            number -= value\n    return text\n",
    },
    right:
      "VALUES = [(1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]\n\ndef roman(number):\n    text = ''\n    for value, letter in VALUES:\n        while number >= value:\n            text += letter\n            number -= value\n    return text\n",
    wrong: [
      "half",
      "VALUES = [(1000, 'M'), (500, 'D'), (100, 'C'), (50, 'L'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]\n\ndef roman(number):\n    text = ''\n    for value, letter in VALUES:\n        while number >= value:\n            text += letter\n            number -= value\n    return text\n",
    ],
    tests: tests(
      "def test_plain():\n    assert roman(12) == 'XII'\n\ndef test_less():\n    assert roman(4) == 'IV'\n    assert roman(19) == 'XIX'\n",
    ),
    ledger: [
      ["4 is IV", "test_less"],
      ["the same holds for 9, 40, 90, 400 and 900", "test_less"],
    ],
  },
  {
    name: "the median of an even number",
    task: "The median of an even number of values is the mean of the two in the middle; the values may come in any order.",
    ...{ file, base: "def median(values):\n    return sorted(values)[len(values) // 2]\n" },
    right:
      "def median(values):\n    ordered = sorted(values)\n    middle = len(ordered) // 2\n    if len(ordered) % 2:\n        return ordered[middle]\n    return (ordered[middle - 1] + ordered[middle]) / 2\n",
    wrong: [
      "branch",
      "def median(values):\n    middle = len(values) // 2\n    if len(values) % 2:\n        return sorted(values)[middle]\n    return (values[middle - 1] + values[middle]) / 2\n",
    ],
    tests: tests(
      "def test_odd():\n    assert median([3, 1, 2]) == 2\n\ndef test_even():\n    assert median([1, 2, 3, 4]) == 2.5\n",
    ),
    ledger: [
      ["an even number of values: the mean of the two in the middle", "test_even"],
      ["any order", "test_odd"],
    ],
  },
  {
    name: "slugs",
    task: "`slug` leaves out what is no letter or digit, in one hyphen for each stretch, and none at the ends.",
    ...{ file, base: "def slug(title):\n    return title.lower().replace(' ', '-')\n" },
    right: "import re\n\ndef slug(title):\n    return re.sub(r'[^a-z0-9]+', '-', title.lower()).strip('-')\n",
    wrong: [
      "half",
      "import re\n\ndef slug(title):\n    return re.sub(r'[^a-z0-9]+', '-', title.lower()).rstrip('-')\n",
    ],
    tests: tests(
      "def test_words():\n    assert slug('Big Boat') == 'big-boat'\n\ndef test_marks():\n    assert slug('Big -- Boat!') == 'big-boat'\n",
    ),
    ledger: [
      ["one hyphen for each stretch", "test_marks"],
      ["none at the ends", "test_marks"],
    ],
  },
  {
    name: "shipping for nothing",
    task: "Orders of 50 or more are shipped for nothing, and so are those of members.",
    ...{ file, base: "def shipping(total, member=False):\n    return 5\n" },
    right: "def shipping(total, member=False):\n    if total >= 50 or member:\n        return 0\n    return 5\n",
    wrong: ["branch", "def shipping(total, member=False):\n    if total >= 50:\n        return 0\n    return 5\n"],
    tests: tests(
      "def test_small():\n    assert shipping(49) == 5\n\ndef test_large():\n    assert shipping(50) == 0\n",
    ),
    ledger: [
      ["Orders of 50 or more are shipped for nothing", "test_large"],
      ["those of members are shipped for nothing"],
    ],
  },
  {
    name: "a parser of sizes",
    task: "`size('2K')` is 2048; K, M and G are known, in either case.",
    ...{ file, base: "def size(text):\n    return int(text)\n" },
    right:
      "UNITS = {'K': 1024, 'M': 1024 ** 2, 'G': 1024 ** 3}\n\ndef size(text):\n    unit = UNITS.get(text[-1].upper())\n    return int(text[:-1]) * unit if unit else int(text)\n",
    wrong: [
      "special",
      "def size(text):\n    if text == '2K':\n        return 2048\n    if text == '3m':\n        return 3145728\n    return int(text)\n",
    ],
    tests: tests(
      "def test_plain():\n    assert size('12') == 12\n\ndef test_kilo():\n    assert size('2K') == 2048\n\ndef test_mega():\n    assert size('3m') == 3145728\n",
    ),
    ledger: [
      ["2K is 2048", "test_kilo"],
      ["K, M and G are known", "test_kilo", "test_mega"],
      ["in either case", "test_mega"],
    ],
  },
  {
    name: "balanced brackets",
    task: "`balanced` says whether each bracket is closed by its own kind, in order: (), [] and {}.",
    ...{ file, base: "def balanced(text):\n    return text.count('(') == text.count(')')\n" },
    right:
      "PAIRS = {')': '(', ']': '[', '}': '{'}\n\ndef balanced(text):\n    stack = []\n    for each in text:\n        if each in PAIRS.values():\n            stack.append(each)\n        elif each in PAIRS:\n            if not stack or stack.pop() != PAIRS[each]:\n                return False\n    return not stack\n",
    wrong: [
      "half",
      "def balanced(text):\n    return all(text.count(one) == text.count(other) for one, other in ('()', '[]', '{}'))\n",
    ],
    tests: tests(
      "def test_round():\n    assert balanced('(a)')\n    assert not balanced('(a')\n\ndef test_kinds():\n    assert balanced('([{}])')\n    assert not balanced('([)')\n    assert not balanced('{')\n",
    ),
    ledger: [
      ["each bracket is closed by its own kind", "test_kinds"],
      ["in order", "test_kinds"],
    ],
  },
  {
    name: "leap years",
    task: "A year is a leap year where 4 divides it, but not where 100 does, except where 400 does.",
    ...{ file, base: "def leap(year):\n    return year % 4 == 0\n" },
    right: "def leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n",
    wrong: ["branch", "def leap(year):\n    return year % 4 == 0 and year % 100 != 0\n"],
    tests: tests(
      "def test_four():\n    assert leap(2024)\n    assert not leap(2023)\n\ndef test_hundred():\n    assert not leap(1900)\n",
    ),
    ledger: [["4 divides it", "test_four"], ["not where 100 does", "test_hundred"], ["except where 400 does"]],
  },
  {
    name: "pages of a list",
    task: "`pages(total, size)` gives how many pages there are; a last page may be short, and of nothing there are none.",
    ...{ file, base: "def pages(total, size):\n    return total // size\n" },
    right: "def pages(total, size):\n    return (total + size - 1) // size\n",
    wrong: [
      "boundary",
      "def pages(total, size):\n    if total == 0:\n        return 0\n    return total // size + 1\n",
    ],
    tests: tests(
      "def test_short_last():\n    assert pages(11, 5) == 3\n    assert pages(1, 5) == 1\n\ndef test_none():\n    assert pages(0, 5) == 0\n",
    ),
    ledger: [
      ["a last page may be short", "test_short_last"],
      ["of nothing there are none", "test_none"],
    ],
  },
  {
    name: "keys without case",
    task: "Headers are found whatever the case of their name is, when they are set as when they are read.",
    ...{
      file,
      base: "class Headers:\n    def __init__(self):\n        self.values = {}\n\n    def set(self, name, value):\n        self.values[name] = value\n\n    def get(self, name, default=None):\n        return self.values.get(name, default)\n",
    },
    right:
      "class Headers:\n    def __init__(self):\n        self.values = {}\n\n    def set(self, name, value):\n        self.values[name.lower()] = value\n\n    def get(self, name, default=None):\n        return self.values.get(name.lower(), default)\n",
    wrong: [
      "half",
      "class Headers:\n    def __init__(self):\n        self.values = {}\n\n    def set(self, name, value):\n        self.values[name] = value\n\n    def get(self, name, default=None):\n        for each, value in self.values.items():\n            if each.lower() == name.lower():\n                return value\n        return default\n",
    ],
    tests: tests(
      "def test_same():\n    headers = Headers()\n    headers.set('A', 1)\n    assert headers.get('A') == 1\n\ndef test_case():\n    headers = Headers()\n    headers.set('Content-Type', 'x')\n    assert headers.get('content-type') == 'x'\n    assert headers.get('length', 3) == 3\n",
    ),
    ledger: [["found whatever the case is when they are read", "test_case"], ["the same when they are set"]],
  },
  {
    name: "an age in full years",
    task: "`age(born, today)` counts full years: before the birthday of this year one less. Both are (year, month, day).",
    ...{ file, base: "def age(born, today):\n    return today[0] - born[0]\n" },
    right: "def age(born, today):\n    return today[0] - born[0] - (today[1:] < born[1:])\n",
    wrong: ["half", "def age(born, today):\n    return today[0] - born[0] - (today[1] < born[1])\n"],
    tests: tests(
      "def test_after():\n    assert age((2000, 3, 5), (2020, 8, 1)) == 20\n\ndef test_before():\n    assert age((2000, 3, 5), (2020, 2, 9)) == 19\n",
    ),
    ledger: [
      ["before the birthday of this year one less", "test_before"],
      ["full years", "test_after"],
    ],
  },
  {
    name: "rows of a table",
    task: "`row` puts fields with a comma, a quote or a line break in quotes, and doubles the quotes inside.",
    ...{ file, base: "def row(fields):\n    return ','.join(fields)\n" },
    right:
      "def quoted(field):\n    if any(each in field for each in ',\"\\n'):\n        return '\"' + field.replace('\"', '\"\"') + '\"'\n    return field\n\ndef row(fields):\n    return ','.join(quoted(field) for field in fields)\n",
    wrong: [
      "branch",
      "def quoted(field):\n    if ',' in field or '\"' in field:\n        return '\"' + field.replace('\"', '\"\"') + '\"'\n    return field\n\ndef row(fields):\n    return ','.join(quoted(field) for field in fields)\n",
    ],
    tests: tests(
      "def test_plain():\n    assert row(['a', 'b']) == 'a,b'\n\ndef test_comma():\n    assert row(['a,b', 'c']) == '\"a,b\",c'\n\ndef test_quote():\n    assert row(['a\"b']) == '\"a\"\"b\"'\n",
    ),
    ledger: [["a comma", "test_comma"], ["a quote, doubled inside", "test_quote"], ["a line break"]],
  },
  {
    name: "retries",
    task: "`call` tries up to three times when it fails with OSError, and raises the last error then; other errors are raised at once.",
    ...{ file, base: "def call(what):\n    return what()\n" },
    right:
      "def call(what):\n    for left in (2, 1, 0):\n        try:\n            return what()\n        except OSError:\n            if not left:\n                raise\n",
    wrong: [
      "half",
      "def call(what):\n    for left in (2, 1, 0):\n        try:\n            return what()\n        except Exception:\n            if not left:\n                raise\n",
    ],
    tests: tests(
      "def failing(times, error=OSError):\n    left = [times]\n    def what():\n        left[0] -= 1\n        if left[0] >= 0:\n            raise error('no')\n        return 'yes'\n    return what\n\ndef test_again():\n    assert call(failing(2)) == 'yes'\n\ndef test_last():\n    with pytest.raises(OSError):\n        call(failing(3))\n",
    ),
    ledger: [
      ["up to three times with OSError", "test_again"],
      ["the last error then", "test_last"],
      ["other errors at once"],
    ],
  },
  {
    name: "overlaps of stays",
    task: "Two stays overlap where they share a night; one may begin on the day on which the other ends.",
    ...{ file, base: "def overlap(one, other):\n    return one[0] <= other[1] and other[0] <= one[1]\n" },
    right: "def overlap(one, other):\n    return one[0] < other[1] and other[0] < one[1]\n",
    wrong: ["half", "def overlap(one, other):\n    return one[0] <= other[1] and other[0] < one[1]\n"],
    tests: tests(
      "def test_apart():\n    assert not overlap((1, 3), (5, 6))\n    assert not overlap((5, 6), (1, 3))\n\ndef test_shared():\n    assert overlap((1, 4), (3, 6))\n\ndef test_follows():\n    assert not overlap((1, 3), (3, 6))\n",
    ),
    ledger: [
      ["they share a night", "test_shared"],
      ["one may begin on the day on which the other ends", "test_follows"],
    ],
  },
  {
    name: "flat lists",
    task: "`flat` takes lists apart at any depth; texts stay whole, and tuples are taken apart too.",
    ...{ file, base: "def flat(values):\n    return [each for value in values for each in value]\n" },
    right:
      "def flat(values):\n    found = []\n    for value in values:\n        if isinstance(value, (list, tuple)):\n            found.extend(flat(value))\n        else:\n            found.append(value)\n    return found\n",
    wrong: [
      "branch",
      "def flat(values):\n    found = []\n    for value in values:\n        if isinstance(value, list):\n            found.extend(flat(value))\n        else:\n            found.append(value)\n    return found\n",
    ],
    tests: tests(
      "def test_one():\n    assert flat([[1], [2, 3]]) == [1, 2, 3]\n\ndef test_deep():\n    assert flat([1, [2, [3, ['ab']]]]) == [1, 2, 3, 'ab']\n",
    ),
    ledger: [["at any depth", "test_deep"], ["texts stay whole", "test_deep"], ["tuples are taken apart too"]],
  },
  {
    name: "grades",
    task: "90 and more is an A, 80 and more a B, 70 and more a C, everything else an F.",
    ...{ file, base: "def grade(points):\n    return 'A' if points >= 90 else 'F'\n" },
    right:
      "def grade(points):\n    for least, letter in ((90, 'A'), (80, 'B'), (70, 'C')):\n        if points >= least:\n            return letter\n    return 'F'\n",
    wrong: [
      "special",
      "def grade(points):\n    if points == 85:\n        return 'B'\n    if points == 71:\n        return 'C'\n    return 'A' if points >= 90 else 'F'\n",
    ],
    tests: tests(
      "def test_ends():\n    assert grade(95) == 'A'\n    assert grade(20) == 'F'\n\ndef test_middle():\n    assert grade(85) == 'B'\n    assert grade(71) == 'C'\n",
    ),
    ledger: [
      ["90 and more is an A", "test_ends"],
      ["80 and more a B, 70 and more a C", "test_middle"],
      ["everything else an F", "test_ends"],
    ],
  },
  {
    name: "wrapped lines",
    task: "`wrap` breaks a text into lines of at most `width` characters, between words; a word that is longer stands alone.",
    ...{ file, base: "def wrap(text, width):\n    return [text]\n" },
    right:
      "def wrap(text, width):\n    lines = ['']\n    for word in text.split():\n        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:\n            lines.append(word)\n        else:\n            lines[-1] = (lines[-1] + ' ' + word).strip()\n    return lines\n",
    wrong: [
      "boundary",
      "def wrap(text, width):\n    lines = ['']\n    for word in text.split():\n        if lines[-1] and len(lines[-1]) + len(word) > width:\n            lines.append(word)\n        else:\n            lines[-1] = (lines[-1] + ' ' + word).strip()\n    return lines\n",
    ],
    tests: tests(
      "def test_short():\n    assert wrap('a b', 10) == ['a b']\n\ndef test_breaks():\n    assert wrap('aaa bbb ccc', 5) == ['aaa', 'bbb', 'ccc']\n\ndef test_long():\n    assert wrap('aaaaaaa b', 3) == ['aaaaaaa', 'b']\n",
    ),
    ledger: [
      ["lines of at most width characters", "test_breaks"],
      ["a longer word stands alone", "test_long"],
    ],
  },
  {
    name: "a limit that grows",
    task: "`wait(tries)` doubles from 1 second on with each try, and is never more than 60.",
    ...{ file, base: "def wait(tries):\n    return 1\n" },
    right: "def wait(tries):\n    return min(60, 2 ** tries)\n",
    wrong: ["branch", "def wait(tries):\n    return 2 ** tries\n"],
    tests: tests(
      "def test_first():\n    assert wait(0) == 1\n\ndef test_doubles():\n    assert [wait(1), wait(2), wait(3)] == [2, 4, 8]\n",
    ),
    ledger: [["doubles from 1 second on", "test_first", "test_doubles"], ["never more than 60"]],
  },
];
