"""What a field takes, in words: said alike by the extension before it sends, and by the local engine."""

from __future__ import annotations

from collections.abc import Mapping

from .field_specs import FieldKind, FieldSpec
from .references import FileForm

_OBJECT = "a file object with file_token, object or url"
_TEXT = "a file token (file_<uuid>)"
_FILE_FORMS: Mapping[FileForm, str] = {
    FileForm.OBJECT: _OBJECT,
    FileForm.TEXT: f"{_TEXT} or an https URL",
    FileForm.EITHER: f"{_TEXT}, an https URL or {_OBJECT}",
}


def allowed_values(spec: FieldSpec) -> str:
    """What a field takes, in words, for the sentence that refuses a value."""
    match spec.kind:
        case FieldKind.CHOICE:
            return ", ".join(choice or '""' for choice in spec.choices)
        case FieldKind.SWITCH:
            return "true or false"
        case FieldKind.INTEGER | FieldKind.NUMBER:
            return _range(spec)
        case FieldKind.TEXT:
            shortest, longest = spec.length
            if longest:
                return f"a text of {f'{shortest} to' if shortest else 'up to'} {longest} characters"
            return "a text that is not empty" if shortest else "a text"
        case FieldKind.FILE:
            return _FILE_FORMS[spec.file_form or FileForm.EITHER]
        case FieldKind.FILES:
            return f"a list of {_count(spec)} files".replace("  ", " ")
        case FieldKind.NAMES:
            return f"a list of {_count(spec)} texts".replace("  ", " ")
        case FieldKind.LIST:
            return "a list"
        case FieldKind.MAP:
            return "an object"


def usual_values(spec: FieldSpec) -> str:
    """What makes sense as a rule where the API states no bounds, in words; empty where nothing is known."""
    low, high = spec.usual
    if low is not None and high is not None:
        return f"usually {low:g} to {high:g}"
    if low is not None:
        return f"usually from {low:g}"
    return f"usually up to {spec.usual_length} characters" if spec.usual_length else ""


def _range(spec: FieldSpec) -> str:
    what = "an integer" if spec.kind is FieldKind.INTEGER else "a number"
    low = spec.minimum if spec.minimum is not None else spec.above
    if low is None:
        return what if spec.maximum is None else f"{what} up to {spec.maximum:g}"
    if spec.maximum is not None:
        return f"{what} from {low:g} to {spec.maximum:g}"
    return f"{what} above {low:g}" if spec.above is not None else f"{what} from {low:g}"


def _count(spec: FieldSpec) -> str:
    """How many items a list takes; empty where the API does not say."""
    fewest, most = spec.length
    if most is None or fewest == most:
        return str(fewest or "")
    return f"{fewest} to {most}" if fewest else f"at most {most}"
