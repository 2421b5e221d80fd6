"""What is wrong with the fields that the panel shows, each with the field that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..bridge.field_checks import field_checks, missing_image
from ..core.errors import BadRequest
from ..props import field_values
from ..props.field_info import CapabilityInfo

if TYPE_CHECKING:
    from ..core.requests.field_troubles import FieldTrouble

_FILES = frozenset({"file", "files"})


class PanelTroubles:
    """What is wrong with the fields of a panel.

    Attributes:
        words: What stands under a field, by its name, without its full stop.
        advice: The fields among them whose words are no refusal.
    """

    def __init__(self) -> None:
        self.words: dict[str, str] = {}
        self.advice: set[str] = set()
        self._missing = ""

    @property
    def refusal(self) -> tuple[str, str]:
        """The field and the sentence for which nothing can be run; both empty when something can."""
        for name, words in self.words.items():
            if name not in self.advice:
                return name, words
        return "", self._missing

    def add(self, trouble: FieldTrouble) -> None:
        """Adds what a worker found. What is still to be filled in is no fault of a field: it is said at the button."""
        if trouble.is_missing or not trouble.field:
            self._missing = self._missing or trouble.sentence
            return
        self.words.setdefault(trouble.field, trouble.sentence)
        if trouble.is_advice:
            self.advice.add(trouble.field)


def panel_troubles(info: CapabilityInfo, group: Any, *, is_drawn_again: bool = True) -> PanelTroubles:
    """What is known of them now; see :class:`.field_checks.FieldChecks`."""
    troubles = PanelTroubles()
    try:
        fields = field_values.from_panel(group, info)
    except BadRequest as error:  # a text that is no JSON
        troubles.words[error.field] = str(error)
        return troubles
    kinds = {field.name: field.kind for field in info.fields}
    files = {name: value for name, value in fields.items() if kinds[name] in _FILES}
    for name, value in files.items():
        if words := missing_image(value):
            troubles.words[name] = words
    for trouble in field_checks.troubles(info.name, fields, has_files=bool(files), is_drawn_again=is_drawn_again):
        troubles.add(trouble)
    return troubles
