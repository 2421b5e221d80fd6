"""What all ways to a new model have in common: its versions, their rules and prices (docs/api.md, 5.1 and 8.2)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AliasChoices, Field

from ..limits import Category, RateGroup
from ..references import ImageFile
from ..regions import Region
from ..request import Advanced, Gives, Hints, Seed, TaskRequest, Tier
from ..rules import Rule, RuleError, refusal

P1 = "P1-20260311"
P2 = "P2-20260801"
_P_SERIES = (P1, P2)
_NOT_P1 = Hints(advanced=True, forbidden_by=(P1,))

QUAD_ENDING = ".fbx"
"""What a model of quads is: a GLB has triangles only."""

_SMART_TRIANGLES = (500, 20_000)
_SMART_QUADS = (500, 10_000)
_P1_FACES = (48, 20_000)
_P1_FACES_IN_CHINA = (50, 20_000)

_P2_TRIANGLES = (48, 50_000)
_P2_QUADS = (48, 25_000)

_P2_PRICE = Decimal(100)
_P2_TEXTURED: Mapping[str | None, Decimal] = {
    None: Decimal(110),
    "standard": Decimal(110),
    "detailed": Decimal(120),
    "extreme": Decimal(130),
}


def _window(faces: tuple[int, int]) -> str:
    return f"{faces[0]} to {faces[1]}"


def _fits_version(request: ModelRequest) -> None:
    for name, info in type(request).model_fields.items():
        hints = next((item for item in info.metadata if isinstance(item, Hints)), None)
        value = getattr(request, name)
        if (
            hints is not None
            and request.model_version in hints.forbidden_by
            and value not in (None, False, info.default)
        ):
            raise refusal(name, value, f"nothing, since {request.model_version} does not take it")


def _faces_in_window(request: ModelRequest) -> None:
    window, why = request.face_window()
    if window is not None:
        _check_faces(request.face_limit, window, why)


def _check_faces(faces: int | None, window: tuple[int, int], why: str) -> None:
    if faces is not None and not window[0] <= faces <= window[1]:
        raise refusal("face_limit", faces, f"{_window(window)} {why}")


def _parts_without_texture(request: ModelRequest) -> None:
    if not request.generate_parts:
        return
    if "texture" not in request.model_fields_set or request.texture:
        raise RuleError("generate_parts needs texture to be off; set texture to false", field="texture")
    if "pbr" in request.model_fields_set and request.pbr:
        raise RuleError("generate_parts needs pbr to be off, since pbr makes a texture", field="pbr")


class ModelRequest(TaskRequest):
    """What the ways to a new model have in common."""

    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.CREATE
    category: ClassVar[Category] = Category.GENERATION_H
    rate_group: ClassVar[RateGroup] = RateGroup.GENERATION
    version_field: ClassVar[str | None] = "model_version"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(f"quad, smart_low_poly, generate_parts and geometry_quality are not for {P1}", _fits_version),
        Rule(
            f"face_limit is {_window(_SMART_TRIANGLES)} with smart_low_poly (to {_SMART_QUADS[1]} with quad),"
            f" {_window(_P1_FACES)} for {P1} (from {_P1_FACES_IN_CHINA[0]} in China),"
            f" {_window(_P2_TRIANGLES)} for {P2} (to {_P2_QUADS[1]} with quad)",
            _faces_in_window,
        ),
        Rule("generate_parts needs texture and pbr to be off", _parts_without_texture),
    )

    model_version: Annotated[
        Literal["v3.1-20260211", "v3.0-20250812", "v2.5-20250123", "P1-20260311", "P2-20260801"],
        Field(
            validation_alias=AliasChoices("model_version", "model"),
            description="Version of the generation model",
        ),
        Hints(
            suggested="v3.1-20260211",
            choice_words={
                "v3.1-20260211": ("v3.1: newest", "The newest version for detailed models, with every option"),
                "v3.0-20250812": ("v3.0", "For detailed models, with every option"),
                "v2.5-20250123": ("v2.5", "The oldest version for detailed models, with every option"),
                P1: ("P1: low poly", f"Low poly: {_window(_P1_FACES)} triangles; no quads, no parts"),
                P2: ("P2: quads", f"{_window(_P2_TRIANGLES)} triangles, or {_window(_P2_QUADS)} quads"),
            },
        ),
    ]
    texture: Annotated[bool, Field(description="Make a texture; PBR maps force it")] = True
    pbr: Annotated[
        bool,
        Field(description="Metallic, roughness and normal maps beside the base colour; forces a texture"),
    ] = True
    texture_quality: Annotated[
        Literal["standard", "detailed", "extreme"] | None,
        Field(description="Size of the maps: standard, detailed or extreme"),
    ] = None
    geometry_quality: Annotated[
        Literal["standard", "detailed"],
        Field(description="How fine the geometry is"),
        Hints(label="Geometry", advanced=True, forbidden_by=(P1,)),
    ] = "standard"
    face_limit: Annotated[
        int | None,
        Field(description="Most faces of the result; what is allowed depends on the version"),
        Hints(usual=(1, None), start=5000),
    ] = None
    quad: Annotated[bool | None, Field(description="Quads instead of triangles; the result is an FBX"), _NOT_P1] = None
    smart_low_poly: Annotated[bool | None, Field(description="A clean low-poly model, as if made by hand"), _NOT_P1] = (
        None
    )
    generate_parts: Annotated[
        bool | None,
        Field(description="A model in editable parts; texture and PBR must be off"),
        _NOT_P1,
    ] = None
    compress: Annotated[
        Literal["", "geometry"] | None, Field(description="Compress the geometry of the result"), Advanced
    ] = None
    export_uv: Annotated[bool, Field(description="Unwrap the model"), Advanced] = True
    return_multiview: Annotated[bool | None, Field(description="Return the views that were used as well"), Advanced] = (
        None
    )
    render_sequence: Annotated[bool | None, Field(description="Return a rendered image sequence as well"), Advanced] = (
        None
    )
    render_video: Annotated[bool | None, Field(description="Return a rendered video as well"), Advanced] = None
    model_seed: Annotated[int | None, Field(description="The same seed gives the same geometry"), Seed] = None
    texture_seed: Annotated[int | None, Field(description="The same seed gives the same texture"), Seed] = None
    check_printable: Annotated[
        bool | None, Field(description="Check for 3D printing; needs an entitled account"), Advanced
    ] = None
    style_image: Annotated[ImageFile | None, Field(description="An image of the style"), Advanced] = None

    def face_window(self) -> tuple[tuple[int, int] | None, str]:
        """The fewest and most faces that may be asked for, None without bounds, and when that holds."""
        if self.smart_low_poly:
            return (
                (_SMART_QUADS, "with smart_low_poly and quad")
                if self.quad
                else (_SMART_TRIANGLES, "with smart_low_poly")
            )
        if self.model_version == P1:
            return _P1_FACES, f"for {P1}"
        if self.model_version == P2:
            return (_P2_QUADS, f"for {P2} with quad") if self.quad else (_P2_TRIANGLES, f"for {P2}")
        return None, ""

    @property
    def textured(self) -> bool:
        """Whether the result gets a texture: PBR maps force one, parts have none."""
        return not self.generate_parts and (self.texture or self.pbr)

    def body(self) -> dict[str, Any]:
        """The JSON body, without what the chosen version does not take."""
        body = super().body()
        for name in self._forbidden_names(self.model_version):
            body.pop(name, None)
        if self.generate_parts and "pbr" not in body:
            body["pbr"] = False  # on by default, and then it would force the texture that parts cannot have
        return body

    def check_region(self, region: Region | None) -> None:
        """P1 begins with more faces in China."""
        super().check_region(region)
        if region is Region.CHINA and self.model_version == P1 and not self.smart_low_poly:
            _check_faces(self.face_limit, _P1_FACES_IN_CHINA, f"for {P1} in China")

    def price(self) -> Decimal | None:
        """The documented prices of P2; the API has none for the others."""
        if self.model_version != P2:
            return None
        return _P2_TEXTURED[self.texture_quality] if self.textured else _P2_PRICE

    @classmethod
    def pool_for(cls, fields: Mapping[str, Any]) -> Category:
        """The H and the P series have pools of their own."""
        version = fields.get("model_version") or fields.get("model")
        return Category.GENERATION_P if version in _P_SERIES else Category.GENERATION_H

    @classmethod
    def result_ending(cls, fields: Mapping[str, Any]) -> str:
        """Quads come as an FBX."""
        return QUAD_ENDING if fields.get("quad") else super().result_ending(fields)

    @classmethod
    def refused(cls, body: Mapping[str, Any], region: Region = Region.INTERNATIONAL) -> str:
        """P1 refuses fields that it does not have also when they say nothing new, in China only what is on."""
        version = body.get("model_version") or body.get("model")
        present = [
            name
            for name in cls._forbidden_names(version)
            if name in body and (region is Region.INTERNATIONAL or body[name] is True)
        ]
        return f"{', '.join(present)}: {version} does not take it; leave it out" if present else ""

    @classmethod
    def _forbidden_names(cls, version: object) -> list[str]:
        return [
            name
            for name, info in cls.model_fields.items()
            for item in info.metadata
            if isinstance(item, Hints) and version in item.forbidden_by
        ]
