"""What the extension knows of a capability without loading the contract: plain data, filled by the generated module.

(No postponed annotations in this file: each of them would be compiled while the extension is enabled.)
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple

from ..core import text_values

PATHS_BETWEEN = ";"
"""Stands between the paths of a field that takes several files."""


class FieldInfo(NamedTuple):
    """One field of a request as a Blender property.

    Attributes:
        name: The API's name, and the property's.
        kind: ``text``, ``choice``, ``integer``, ``number``, ``switch``, ``file``, ``files``, ``names``, ``map`` or
            ``list``.
        unset: The value that stands for "the service decides"; it is never sent. None where there is no such value.
        placeholder: What the empty field shows; it then needs no name beside it.
        suggested: Whether the panel sends the value it shows although the user has not touched it.
        required: Whether the API demands it.
        advanced: Whether the panel keeps it in the closed part.
        source: Whether it names what the task works on; a job fills it, panels leave it out.
        panel: Whether the panel offers it at all. Operators offer every field.
        replaced_by: A field beside which the suggestion is not sent; empty where there is none.
        names_parts: Whether it holds names of parts; those of the objects that they are here will do.
        forbidden_by: Model versions that do not take it; the panel hides it while one of them is chosen.
        longest: Most characters that a text has as a rule; 0 where that is not known.
        takes_image: Whether its file is an image, so that one of Blender's own will do.
        local: Whether the extension's own engine does anything with it; its panel leaves the others out.
        inside: The map that it is sent in. Only the extension's own engine knows what is in there.
        start: The value that a number begins with when a person takes it from Auto; None for one that is never Auto.
        empty: What the empty field stands for, shown in it.
        seed: Whether another number in it gives another result.
        local_with: The field without which the extension's own engine does nothing with it; empty where it needs none.
    """

    name: str
    kind: str
    unset: Any = None
    placeholder: str = ""
    suggested: bool = False
    required: bool = False
    advanced: bool = False
    source: bool = False
    panel: bool = True
    replaced_by: str = ""
    names_parts: bool = False
    forbidden_by: tuple[str, ...] = ()
    longest: int = 0
    takes_image: bool = False
    local: bool = True
    inside: str = ""
    start: float | None = None
    empty: str = ""
    seed: bool = False
    local_with: str = ""

    def read(self, value: Any) -> Any:
        """The field's value from the property's; None when it stands for "the service decides".

        Raises:
            ValueError: The text of a map or a list is not JSON of that kind; see :func:`.written.from_json`.
        """
        if self.unset is not None and value == self.unset:
            return None
        return _READERS.get(self.kind, _as_it_is)(value)

    def write(self, value: Any) -> Any:
        """The property's value of which :meth:`read` makes ``value``.

        Raises:
            TypeError: It is of another kind than the field.
        """
        return _WRITERS.get(self.kind, _as_it_is)(value)


WITHOUT_SELECTION = frozenset({"nothing", "images", "multiview_task"})
"""What is taken by capabilities that do not care about the selection."""


class CapabilityInfo(NamedTuple):
    """A capability as panels and operators need it; see the contract's declaration of the same name.

    ``local`` says what the extension's own engine does for it; empty where that cannot do it. ``file_kinds`` has, for a
    capability whose result is wanted as a file, the field that says which and the endings for its values.
    """

    name: str
    label: str
    summary: str
    takes: str
    gives: str
    tier: str
    source_field: str | None
    task_field: str | None
    source_takes: tuple[str, ...]
    local: str
    fields: tuple[FieldInfo, ...]
    version_field: str | None = None
    needs_true_size: bool = False
    keeps_surface: bool = False
    finds_body: bool = False
    gives_views: bool = False
    icon: str = "NONE"
    quick: bool = False
    image_action: str = ""
    title_fields: tuple[str, ...] = ()
    follow_up: tuple[str, str] | None = None
    file_kinds: tuple[str, tuple[tuple[str, str], ...]] | None = None

    def __hash__(self) -> int:
        return hash(self.name)  # that of all fields takes longer than what is kept by it

    @property
    def comes_into_scene(self) -> bool:
        """Whether it gives something that has a place in a scene."""
        return self.gives in ("model", "splat")

    @property
    def works_on_model(self) -> bool:
        """Whether it takes a model that is in the scene already."""
        return self.takes not in WITHOUT_SELECTION

    @property
    def own_fields(self) -> tuple[FieldInfo, ...]:
        """The fields that a person fills in."""
        return tuple(field for field in self.fields if not field.source)

    def for_service(self, *, is_local: bool) -> "CapabilityInfo":
        """The capability with the fields that a panel has for a service; for the same service the same object.

        For the extension's own engine these are the ones that it does something with; one that every request must have
        stays, unseen. For other services they are the ones that the API has.
        """
        return _for_service(self, is_local)

    def panel_fields(self, version: str) -> tuple[FieldInfo, ...]:
        """The fields that the panel shows while ``version`` is chosen, first those that wait for something."""
        return _panel_fields(self, version)


@cache
def _for_service(info: CapabilityInfo, is_local: bool) -> CapabilityInfo:
    if not is_local:
        return info._replace(fields=tuple(field for field in info.fields if not field.inside))
    kept = [field if field.local else field._replace(panel=False) for field in info.fields]
    return info._replace(
        fields=tuple(field for field in kept if field.local or field.required or field.source), version_field=None
    )


@cache
def _panel_fields(info: CapabilityInfo, version: str) -> tuple[FieldInfo, ...]:
    fields_shown = [field for field in info.own_fields if field.panel and version not in field.forbidden_by]
    return tuple(sorted(fields_shown, key=lambda field: not field.required or field.suggested))


def suggestions(*words: str) -> Callable[[Any, Any, str], list[str]]:
    """The search of a text property that offers words to choose from; any other text is as good."""

    def search(_owner: Any, _context: Any, text: str) -> list[str]:
        matches = [word for word in words if text.lower() in word.lower()]
        return list(words) if matches == [text] else matches

    return search


def _as_it_is(value: Any) -> Any:
    return value


def _short(value: float) -> float:
    """As many digits as a property of Blender has: 0.01, and not what half as many bits make of it."""
    return float(f"{value:.7g}")


def _names(value: str) -> list[str]:
    return text_values.split(value, ",")


def _paths(value: str) -> list[str]:
    return text_values.split(value, PATHS_BETWEEN)


_READERS: dict[str, Callable[[Any], Any]] = {
    "names": _names,
    "files": _paths,
    "number": _short,
    "map": partial(text_values.from_json, kind=dict),
    "list": partial(text_values.from_json, kind=list),
}


def _joined(separator: str, value: Any) -> str:
    return text_values.join(map(str, value if isinstance(value, list | tuple) else [value]), separator)


_WRITERS: dict[str, Callable[[Any], Any]] = {
    "text": str,
    "file": str,
    "names": partial(_joined, ","),
    "files": partial(_joined, PATHS_BETWEEN),
    "map": text_values.to_json,
    "list": text_values.to_json,
}
