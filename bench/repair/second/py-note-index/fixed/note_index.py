import re
from collections import defaultdict

_WORD = re.compile(r"[a-z0-9']+")


def words(text):
    return _WORD.findall(text.lower())


class NoteIndex:
    """Finds the notes that hold all words of a query, best match first."""

    def __init__(self):
        self._postings = defaultdict(dict)  # word -> {note id: count}
        self._notes = {}

    def add(self, note_id, text):
        """Index a note; adding an id again replaces its text."""
        if note_id in self._notes:
            self.remove(note_id)
        self._notes[note_id] = text
        for word in words(text):
            counts = self._postings[word]
            counts[note_id] = counts.get(note_id, 0) + 1

    def remove(self, note_id):
        text = self._notes.pop(note_id)
        for word in set(words(text)):
            del self._postings[word][note_id]
            if not self._postings[word]:
                del self._postings[word]

    def search(self, query):
        terms = set(words(query))
        if not terms:
            return []
        found = None
        for term in terms:
            ids = set(self._postings.get(term, ()))
            found = ids if found is None else found & ids
        return sorted(found, key=lambda note_id: (-self._score(note_id, terms), note_id))

    def _score(self, note_id, terms):
        return sum(self._postings[term][note_id] for term in terms)

    def vocabulary(self):
        return sorted(self._postings)
