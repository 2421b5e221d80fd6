"""Finished English sentences in another language. No Blender here.

The sentences are put together where they are known best, in English: the journal, logs and the command line have them
so. Here a finished one is looked up as it is, else the template is found that it was made of, and what was filled in is
looked up in the same way. So a sentence of an old journal or of the local engine is found like a new one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from .po_file import PUNCTUATION, Entry

PLACE = re.compile(r"\{([a-z_][a-z_0-9]*)\}")
"""What changes in a template, by its name."""

OWN_WORDS = frozenset(
    {
        *("address", "ca_file", "data_dir", "delivery_file_name", "delivery_folder", "directory", "extension"),
        *("file", "filename", "filepath", "folder", "host", "image_name", "item_name", "kept", "library"),
        *("library_name", "locations_data_dir", "name", "names", "path", "path_name", "path_parent"),
        *("path_stem", "properties_text", "record_result", "scene", "scenes", "source_path", "target"),
        *("target_name", "target_parent", "task_id", "title", "value", "variable"),
    }
)
"""Places whose words are a user's, a system's or a service's: they stay as they are."""

_ORDINAL = re.compile(r"(\d+)(st|nd|rd|th)")
"""A number as a place, which only English writes so."""
_AND_MORE = re.compile(r" and \d+ more$")
_NAME = re.compile(r"[A-Z][\w.-]*")
_NUMBERS = frozenset(
    {
        *("budget", "credits", "days", "decimal", "fewest", "first", "high", "hours", "jobs", "last"),
        *("longest", "low", "max", "min_faces", "minutes", "most", "number", "page", "pages"),
        *("price_credits", "rest", "running", "seconds", "service_balance", "shortest", "shown_jobs"),
        *("size", "source_jobs", "source_uploads", "spec_maximum", "spec_usual_length", "spending_month"),
        *("sum", "total"),
    }
)
"""Places with numbers, beside those that end in ``count``."""
_WORD = re.compile(r"[A-Za-z]+")
_LIGHT = 12
"""Letters: with fewer of them a template would fit much that is not meant, so its numbers have to be numbers."""
_OPEN = 4
"""Letters that a template counts less for beginning with a place, which takes in what another one says."""
_NUMBER = r"(-?[\d.,]*\d)"
_MOST_KEPT = 4096
_DEEPEST = 6
_JOINTS = ("\n\n", "; ", ". ", ": ", ", ", " or ", " and ")
"""What sentences and their parts are joined with, the strongest first."""
_LISTS = frozenset({", ", " or ", " and "})
"""What joins words as well, a user's too: all parts have to be known."""


class _Template:
    """A text in which something changes.

    Attributes:
        text: It, in English, and its ``translation``.
        places: What changes, in the order of the text.
        weight: Letters that do not change: of two templates that fit, the one with more is meant.
    """

    def __init__(self, text: str, translation: str) -> None:
        self.text, self.translation = text, translation
        pieces = PLACE.split(text)
        self._literals, self.places = pieces[0::2], tuple(pieces[1::2])
        self.weight = sum(len(literal) for literal in self._literals) - (0 if self._literals[0] else _OPEN)
        self._pattern: re.Pattern[str] | None = None  # of most of them none is ever needed

    def match(self, text: str) -> tuple[str, ...] | None:
        """What stands in the places, where a text is made of this template."""
        if self._pattern is None:
            groups = [_NUMBER if self.weight < _LIGHT and _is_number(place) else "(.*?)" for place in self.places]
            parts = [re.escape(literal) for literal in self._literals]
            pattern = "".join(part + group for part, group in zip(parts, [*groups, ""], strict=True))
            self._pattern = re.compile(pattern, re.DOTALL | re.IGNORECASE)
        found = self._pattern.fullmatch(text)
        if found is None or any(piece.startswith("(") for piece in found.groups()):
            return None
        return found.groups()

    def words(self) -> list[str]:
        """The words that every text has that is made of it: those that touch no place."""
        words = []
        for number, literal in enumerate(self._literals):
            for match in _WORD.finditer(literal):
                touches_before = match.start() == 0 and number > 0
                touches_after = match.end() == len(literal) and number < len(self.places)
                if not touches_before and not touches_after:
                    words.append(match.group().lower())
        return words


class Catalogue:
    """The translations of one language.

    Args:
        entries: Of its file; those without a translation are passed over.

    Attributes:
        messages: The texts as Blender looks them up, and their translations; a brace may be meant as one.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.messages: dict[str, str] = {}
        self._exact: dict[str, str] = {}
        self._punctuation: dict[str, str] = {}
        self._by_word: dict[str, list[_Template]] = {}
        self._known: dict[str, str] = {}
        templates: list[_Template] = []
        for entry in entries:
            if not entry.translation:
                continue
            text, translation = _without_stop(entry.text), entry.translation.removesuffix("。")
            if entry.context == PUNCTUATION:
                self._punctuation[entry.text] = entry.translation
            elif PLACE.search(text):
                templates.append(_Template(text, translation))
            else:
                self._exact[text.casefold()] = translation
            if not entry.context:
                self.messages[entry.text] = entry.translation
        self._index(templates)

    def translated(self, text: str) -> str:
        """A sentence in the catalogue's language; as it is where that is not known."""
        known = self._known.get(text)
        if known is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()  # of texts that change all the time; the others are back with the next drawing
            found = self._found(text, _DEEPEST)
            known = self._known[text] = text if found is None else found
        return known

    def _index(self, templates: list[_Template]) -> None:
        """Files each template under that word of it which the fewest others have."""
        words = {template.text: template.words() for template in templates}
        counts = Counter(word for found in words.values() for word in set(found))
        for template in templates:
            rarest = min(words[template.text], key=lambda word: (counts[word], -len(word)), default="")
            self._by_word.setdefault(rarest, []).append(template)

    def _found(self, text: str, depth: int) -> str | None:
        """The translation of a text, or None; what is nearest to the whole of it comes first."""
        body = _without_stop(text)
        if not depth or not _WORD.search(body):
            return None
        whole = self._exact.get(body.casefold())
        for joint in (". ", "; "):
            if whole is None and joint in body:
                whole = self._all_parts(body, joint, depth)
        if whole is None and body.endswith(")"):
            whole = self._with_aside(body, depth)
        if whole is None:
            whole = self._filled(body, depth)
        for sign in ("...", ":"):
            if whole is None and body.endswith(sign):
                whole = self._found(body.removesuffix(sign), depth - 1)
                return None if whole is None else whole + self._sign(sign)
        if whole is None:
            whole = self._joined(body, depth)
        if whole is None:
            return None
        return whole + self._sign(".") if len(body) < len(text) else whole

    def _sign(self, sign: str) -> str:
        return self._punctuation.get(sign, sign)

    def _all_parts(self, text: str, joint: str, depth: int) -> str | None:
        """Sentences each of which is known."""
        found = []
        for part in text.split(joint):
            translation = self._found(part, depth - 1)
            if translation is None:
                return None
            found.append(translation)
        return self._sign(joint).join(found)

    def _with_aside(self, text: str, depth: int) -> str | None:
        """A text with something in brackets at its end, both of which are known."""
        before, bracket, aside = text[:-1].rpartition(" (")
        first = None
        if bracket:
            first = self._exact.get(before.casefold()) or self._filled(before, depth - 1)
        second = self._found(aside, depth - 1) if first is not None else None
        return f"{first}{self._sign(' (')}{second}{self._sign(')')}" if second is not None else None

    def _filled(self, text: str, depth: int) -> str | None:
        """The text by the template that it was made of."""
        words = {word.lower() for word in _WORD.findall(text)}
        candidates = [template for word in words for template in self._by_word.get(word, ())]
        candidates.sort(key=lambda template: (-template.weight, template.text))
        for template in candidates:
            if (pieces := template.match(text)) is not None:
                pairs = zip(template.places, pieces, strict=True)
                return _fill(template.translation, {place: self._piece(place, piece, depth) for place, piece in pairs})
        return None

    def _piece(self, place: str, text: str, depth: int) -> str:
        """What stands in a place, in the language, unless it is a user's own words."""
        if place.rstrip("0123456789") in OWN_WORDS and not _AND_MORE.search(text):
            return text if ": " not in text else ", ".join(self._job_name(item) for item in text.split(", "))
        core = text.strip()
        if ordinal := _ORDINAL.fullmatch(core):
            return ordinal.group(1)
        found = self._found(core, depth - 1)
        return text if found is None else found

    def _job_name(self, text: str) -> str:
        """A job's name, which is its operation's and a title of the user's; anything else as it is."""
        label, colon, title = text.partition(": ")
        known = self._exact.get(label.casefold()) if colon else None
        return text if known is None else f"{known}{self._sign(': ')}{title}"

    def _joined(self, text: str, depth: int) -> str | None:
        """The text by the sentences that it was joined of; at least one has to be known, in a list all of them."""
        for joint in _JOINTS:
            if joint not in text:
                continue
            parts = text.split(joint)
            # After a colon may stand what a user named something: "Texture: Camera".
            own = joint == ": " and len(parts) == 2 and bool(_NAME.fullmatch(parts[1]))
            found: list[str | None] = []
            for number, part in enumerate(parts):
                found.append(None if own and number else self._found(part, depth - 1))
                if joint in _LISTS and found[-1] is None and _WORD.search(part):
                    return None
            if any(item is not None for item in found):
                words = [part if item is None else item for item, part in zip(found, parts, strict=True)]
                return self._sign(joint).join(words)
        return None


def _fill(translation: str, pieces: Mapping[str, str]) -> str:
    return PLACE.sub(lambda match: pieces.get(match.group(1), match.group()), translation)


def _without_stop(text: str) -> str:
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def _is_number(place: str) -> bool:
    name = place.rstrip("0123456789")
    return name.endswith("count") or name in _NUMBERS
