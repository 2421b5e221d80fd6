"""Requests made up from the declarations: fields within their bounds, forms of references, values that are wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from asset_generation.vendor.assetgen.contract import VIEWS, FieldKind, FieldSpec, capability, describe
from asset_generation.vendor.assetgen.contract.references import FileForm
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pydantic import ValidationError

from ..services.references import References

_REFERENCE_FIELDS = frozenset(
    {"file", "files", "input", "inputs", "original_model_task_id", "original_task_id", "draft_model_task_id"}
)
_LIKELY_FACES = (48, 50, 500, 5000, 10_000, 20_000, 25_000, 50_000)
_SIZES = ("2K", "4k", "1024x1024", "2048x1152")
_VARIED = 30
"""Longest text that is made up letter by letter; the longest that is allowed is one letter repeated."""

_letters = st.characters(codec="utf-8")
_plain = st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.text(_letters, max_size=5))
_maps = st.dictionaries(st.text(_letters, max_size=5), st.one_of(_plain, st.lists(_plain, max_size=3)), max_size=3)


def bodies(name: str, known: References) -> SearchStrategy[dict[str, Any]]:
    """Bodies that the declaration of a capability accepts, and that refer to things that exist."""
    specs = [spec for spec in describe(capability(name)) if spec.name not in _REFERENCE_FIELDS]
    needed = {spec: _values(spec, known) for spec in specs if spec.required and len(spec.path) == 1}
    others = {spec: _values(spec, known) for spec in specs if not spec.required and len(spec.path) == 1}
    flat = st.fixed_dictionaries(
        {spec.name: values for spec, values in needed.items()},
        optional={spec.name: values for spec, values in others.items()},
    )
    return st.builds(lambda body, forms: {**body, **forms}, flat, _forms(name, known)).filter(
        lambda body: _is_accepted(name, body)
    )


def wrong_values(spec: FieldSpec) -> list[Any]:
    """Values that a field does not take, just beyond what it takes where it has bounds."""
    wrong: dict[FieldKind, list[Any]] = {
        FieldKind.TEXT: [5, ["a"]],
        FieldKind.CHOICE: ["no-such-choice", 5],
        FieldKind.INTEGER: ["500", 1.5, True],
        FieldKind.NUMBER: ["1", True],
        FieldKind.SWITCH: ["true", 1],
        FieldKind.FILE: [5, "picture.png", {"data": "aGVsbG8="}, "data:image/png;base64,aGVsbG8="],
        FieldKind.FILES: ["file_x", [5]],
        FieldKind.NAMES: ["a", [5]],
        FieldKind.LIST: ["a", [5], []],
        FieldKind.MAP: [["a"], "a"],
    }
    found = [None, *wrong[spec.kind]]
    if spec.kind is FieldKind.FILE and spec.file_form is not FileForm.EITHER:
        token = "file_00000000-0000-0000-0000-000000000000"
        found.append(token if spec.file_form is FileForm.OBJECT else {"type": "png", "file_token": token})
    shortest, longest = spec.length
    if spec.kind is FieldKind.TEXT:
        found += ([""] if shortest else []) + (["w" * (longest + 1)] if longest else [])
    if spec.kind in (FieldKind.FILES, FieldKind.NAMES):
        found += ([[]] if shortest else []) + ([["file_x"] * (longest + 1)] if longest else [])
    for bound, beyond in ((spec.minimum, -1), (spec.above, 0), (spec.maximum, 1)):
        if bound is not None:
            found.append(int(bound) + beyond)
    return found


def placed(spec: FieldSpec, value: Any) -> dict[str, Any]:
    """A body with a value at the place of a field."""
    for step in reversed(spec.path):
        value = {step: value}
    found: dict[str, Any] = value
    return found


def _is_accepted(name: str, body: Mapping[str, Any]) -> bool:
    if capability(name).refused(body):
        return False
    try:
        capability(name).model_validate(body)
    except ValidationError:
        return False
    return True


def _values(spec: FieldSpec, known: References) -> SearchStrategy[Any]:
    match spec.kind:
        case FieldKind.TEXT:
            return st.sampled_from(_SIZES) if spec.name == "size" else _texts(*spec.length)
        case FieldKind.CHOICE:
            return st.sampled_from(spec.choices)
        case FieldKind.INTEGER:
            return _integers(spec)
        case FieldKind.NUMBER:
            low = spec.minimum if spec.minimum is not None else spec.above
            return st.floats(
                low, spec.maximum or 1e6, exclude_min=spec.above is not None, allow_nan=False, allow_infinity=False
            )
        case FieldKind.SWITCH:
            return st.booleans()
        case FieldKind.FILE:
            return _files(known, spec.file_form)
        case FieldKind.FILES:
            return st.lists(_files(known, spec.file_form), min_size=spec.length[0], max_size=spec.length[1] or 4)
        case FieldKind.NAMES:
            return st.lists(_texts(1, 20), min_size=spec.length[0], max_size=spec.length[1] or 4)
        case _:
            return _maps


def _texts(shortest: int, longest: int | None) -> SearchStrategy[str]:
    varied = st.text(_letters, min_size=shortest, max_size=min(longest or _VARIED, _VARIED))
    return varied if longest is None else st.one_of(varied, st.just("w" * longest))


def _integers(spec: FieldSpec) -> SearchStrategy[int]:
    low = int(spec.minimum or 0)
    within = st.integers(low, int(spec.maximum) if spec.maximum is not None else low + 2**31)
    likely = [faces for faces in _LIKELY_FACES if low <= faces <= (spec.maximum or faces)]
    return st.sampled_from(likely) if spec.name == "face_limit" else within


def _files(known: References, form: FileForm | None) -> SearchStrategy[Any]:
    objects = [
        {"file_token": known.image},
        {"type": "png", "file_token": known.image},
        {"object": {"bucket": "local", "key": known.image}},
    ]
    forms: dict[FileForm | None, list[Any]] = {FileForm.OBJECT: objects, FileForm.TEXT: [known.image]}
    return st.sampled_from(forms.get(form, [known.image, *objects]))


def _forms(name: str, known: References) -> SearchStrategy[dict[str, Any]]:
    """What a capability works on, in each of the forms that it can be given in."""
    image = known.tasks["text_to_image"]
    files = _files(known, FileForm.OBJECT)
    one_image = st.one_of(
        st.builds(lambda file: {"file": file}, files),
        st.sampled_from([{"input": known.image}, {"input": image}]),
    )
    match name:
        case "text_to_model" | "text_to_image":
            return st.just({})
        case "image_to_model" | "image_to_splat" | "image_to_multiview":
            return one_image
        case "image_to_image":
            return st.one_of(
                one_image, st.builds(lambda some: {"files": some}, st.lists(files, min_size=1, max_size=4))
            )
        case "multiview_to_model":
            return st.one_of(_views(files), _tasks(known.source(name), "original_model_task_id"))
        case "import_model":
            return st.sampled_from([{"input": known.model}, {"file": {"type": "glb", "file_token": known.model}}])
        case "edit_multiview":
            prompts = st.lists(st.sampled_from(VIEWS), min_size=1, unique=True).flatmap(_prompts)
            return st.builds(lambda body, some: {**body, "prompts": some}, _source(name, known), prompts)
        case "texture":
            return st.builds(
                lambda body, prompt: {**body, **prompt},
                _source(name, known),
                _texture_prompt(_files(known, FileForm.EITHER)),
            )
        case _:
            return _source(name, known)


def _source(name: str, known: References) -> SearchStrategy[dict[str, Any]]:
    field = capability(name).source_field
    assert field is not None
    return st.just({field: known.source(name)})


def _tasks(task: str, field: str) -> SearchStrategy[dict[str, Any]]:
    return st.sampled_from([{field: task}, {"inputs": [{"task_id": task}]}, {field: task, "files": "ignored"}])


def _views(files: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    slot = st.one_of(files, st.just({}))
    slots = st.tuples(files, slot, slot, slot).filter(lambda found: any(found[1:])).map(list)
    positional = st.lists(files, min_size=2, max_size=4)
    keyed = st.builds(lambda front, back: [{"front": front}, {"back": back}], files, files)
    return st.one_of(
        slots.map(lambda found: {"files": found}), st.one_of(positional, keyed).map(lambda f: {"inputs": f})
    )


def _prompts(views: list[str]) -> SearchStrategy[list[dict[str, str]]]:
    return st.tuples(*(_texts(1, 1024) for _ in views)).map(
        lambda texts: [{"view": view, "prompt": text} for view, text in zip(views, texts, strict=True)]
    )


def _texture_prompt(files: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    prompt = st.one_of(
        st.builds(lambda text: {"text": text}, _texts(1, 1024)),
        st.builds(lambda image: {"image": image}, files),
        st.builds(lambda images: {"images": images}, st.lists(files, min_size=4, max_size=4)),
    )
    return st.one_of(st.just({}), prompt.map(lambda found: {"texture_prompt": found}))
