"""Of a glTF document with several scenes the one that is shown. No bpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_POINTER = "KHR_animation_pointer"


def keep_shown(document: dict[str, Any]) -> bool:
    """Takes out what only other scenes have: nodes, skins and what animates them. Says whether there was anything.

    The joints of a skin stay with what they bend; the format has them in the same scene.

    Raises:
        LookupError: It names something that is not in it.
    """
    scenes: Sequence[Mapping[str, Any]] = document.get("scenes") or ()
    if len(scenes) < 2:
        return False
    nodes, shown = document["nodes"], scenes[document.get("scene", 0)]
    kept = _reached(document, shown.get("nodes", ()))
    if not kept or len(kept) == len(nodes):
        return False
    places = {node: place for place, node in enumerate(kept)}
    skins = sorted({nodes[node]["skin"] for node in kept if "skin" in nodes[node]})
    document["scenes"] = [{**shown, "nodes": [places[node] for node in _roots(nodes, kept)]}]
    document["scene"] = 0
    document["nodes"] = [_renumbered(nodes[node], places, skins) for node in kept]
    if "skins" in document:
        document["skins"] = [_with_joints(document["skins"][skin], places) for skin in skins]
        if not skins:
            del document["skins"]
    _keep_animations(document, places)
    return True


def _reached(document: Mapping[str, Any], roots: Sequence[int]) -> list[int]:
    """The nodes below these, and the joints that bend them, in order."""
    nodes = document["nodes"]
    found: set[int] = set()
    left = list(roots)
    while left:
        if (node := left.pop()) not in found:
            found.add(node)
            left += nodes[node].get("children", ())
            if (skin := nodes[node].get("skin")) is not None:
                left += document["skins"][skin]["joints"]
    return sorted(found)


def _roots(nodes: Sequence[Mapping[str, Any]], kept: Sequence[int]) -> list[int]:
    children = {child for node in kept for child in nodes[node].get("children", ())}
    return [node for node in kept if node not in children]


def _renumbered(node: Mapping[str, Any], places: Mapping[int, int], skins: Sequence[int]) -> dict[str, Any]:
    result = dict(node)
    if "children" in node:
        result["children"] = [places[child] for child in node["children"]]
    if "skin" in node:
        result["skin"] = skins.index(node["skin"])
    return result


def _with_joints(skin: Mapping[str, Any], places: Mapping[int, int]) -> dict[str, Any]:
    result = {**skin, "joints": [places[joint] for joint in skin["joints"]]}
    if "skeleton" in skin:
        result["skeleton"] = places.get(skin["skeleton"], result["joints"][0])
    return result


def _keep_animations(document: dict[str, Any], places: Mapping[int, int]) -> None:
    kept = []
    for animation in document.get("animations", ()):
        channels = [dict(one) for one in animation["channels"] if _is_kept(one["target"], places)]
        for channel in channels:
            if "node" in channel["target"]:
                channel["target"] = {**channel["target"], "node": places[channel["target"]["node"]]}
        if channels:
            kept.append({**animation, "channels": channels})
    if "animations" in document:
        document["animations"] = kept


def _is_kept(target: Mapping[str, Any], places: Mapping[int, int]) -> bool:
    """Whether it is there still; a pointer to a node, whose number may be another now, is left out."""
    if "node" in target:
        return target["node"] in places
    pointer = str(target.get("extensions", {}).get(_POINTER, {}).get("pointer", ""))
    return not pointer.startswith("/nodes/")
