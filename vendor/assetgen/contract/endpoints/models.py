"""Model processing: import, texture, refine, stylize, convert (docs/api.md, 8.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from ..limits import Category, RateGroup
from ..references import TOKEN_PREFIXES, FileRef, ImageFile, OneModelObject, TaskText
from ..request import Advanced, FileKinds, Gives, Hints, Seed, Takes, TaskRequest, Tier
from ..rules import Declared, Rule, RuleError, at_least_one, exactly_one, refusal
from .common_fields import PartNames, SourceTask


def _file_token_only(request: ImportModel) -> None:
    if request.input is not None and not request.input.startswith(TOKEN_PREFIXES):
        raise refusal("input", request.input, "a file token (file_<uuid>)")
    if request.file is not None and not request.file.file_token:
        raise RuleError("file is an object without file_token; allowed: a file token (file_<uuid>)", field="file")


class ImportModel(TaskRequest):
    """Brings a model file into the service, so that other tasks can work on it."""

    name: ClassVar[str] = "import_model"
    label: ClassVar[str] = "Import Model"
    summary: ClassVar[str] = "Upload a model, so that other tasks can work on it"
    icon: ClassVar[str] = "EXPORT"
    endpoint: ClassVar[str] = "/v3/models/import"
    task_type: ClassVar[str] = "import-model"
    takes: ClassVar[Takes] = Takes.MODEL_FILE
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.PROCESS
    category: ClassVar[Category] = Category.PROCESSING
    source_field: ClassVar[str | None] = "file"
    keeps_surface: ClassVar[bool] = True
    keeps_shape: ClassVar[bool] = True
    workload: ClassVar[float] = 1.0

    rules: ClassVar[tuple[Rule, ...]] = (
        at_least_one("file", "input"),
        Rule("Only a file token is taken, no URL and no object", _file_token_only),
    )

    file: Annotated[
        OneModelObject | None,
        Field(description="Model file to upload; the selection when left out"),
        Hints(source=True),
    ] = None
    input: Annotated[str | None, Field(description="Token of an uploaded file"), Hints(source=True)] = None

    def extra_files(self) -> dict[str, FileRef]:
        """The token in ``input``."""
        return {} if self.input is None else {"input": self.input}


class TexturePrompt(Declared):
    """What the texture shall look like: words, one image, or four views of it."""

    rules: ClassVar[tuple[Rule, ...]] = (exactly_one("text", "image", "images"),)

    text: Annotated[
        str | None,
        Field(description="The look, in words"),
        Hints(placeholder="rusty iron, oak planks...", usual_length=1024),
    ] = None
    image: Annotated[ImageFile | None, Field(description="An image of the look"), Hints(placeholder="Image")] = None
    images: Annotated[
        list[ImageFile] | None,
        Field(
            min_length=4,
            max_length=4,
            description="Four views of the look: front, left, back, right",
        ),
        Advanced,
    ] = None


class Texture(TaskRequest):
    """Paints a model anew from words or images."""

    name: ClassVar[str] = "texture"
    label: ClassVar[str] = "Texture"
    done_word: ClassVar[str] = "textured"
    summary: ClassVar[str] = "Give the model a new PBR texture, from words or from images"
    icon: ClassVar[str] = "TEXTURE"
    quick: ClassVar[bool] = True
    endpoint: ClassVar[str] = "/v3/models/texture"
    task_type: ClassVar[str] = "texture"
    other_types: ClassVar[tuple[str, ...]] = ("texture-model",)
    takes: ClassVar[Takes] = Takes.MODEL_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.PROCESS
    category: ClassVar[Category] = Category.PROCESSING
    source_field: ClassVar[str | None] = "original_model_task_id"
    keeps_surface: ClassVar[bool] = True
    keeps_shape: ClassVar[bool] = True
    title_fields: ClassVar[tuple[str, ...]] = ("text",)
    local_seeds: ClassVar[Mapping[str, str]] = {"texture_seed": "text"}

    original_model_task_id: SourceTask
    texture_prompt: Annotated[TexturePrompt | None, Field(description="What the texture shall look like")] = None
    texture_quality: Annotated[
        Literal["standard", "detailed", "extreme"] | None,
        Field(description="Size of the maps: standard, detailed or extreme"),
    ] = None
    pbr: Annotated[bool, Field(description="Metallic, roughness and normal maps beside the base colour")] = True
    texture: Annotated[bool, Field(description="Make a texture; PBR maps force it"), Advanced] = True
    texture_alignment: Annotated[
        Literal["original_image", "geometry"] | None,
        Field(description="What counts more where image and geometry differ"),
        Hints(label="Alignment", advanced=True),
    ] = None
    texture_seed: Annotated[int | None, Field(description="The same seed gives the same texture"), Seed] = None
    model_version: Annotated[
        Literal["v3.0-20250812", "v2.5-20250123"],
        Field(description="Version of the texture model"),
        Advanced,
    ] = "v3.0-20250812"
    compress: Annotated[
        Literal["", "geometry"] | None, Field(description="Compress the geometry of the result"), Advanced
    ] = None
    bake: Annotated[bool | None, Field(description="Bake the result into one texture set"), Advanced] = None
    part_names: PartNames = None
    return_multiview: Annotated[
        bool | None, Field(description="Return the views used for the texture as well"), Advanced
    ] = None
    asset_map: Annotated[dict[str, Any] | None, Field(description="Map of assets, forwarded as it is"), Advanced] = None

    def check_local(self) -> None:
        """The local engine paints what words or images ask for, and nothing without them."""
        super().check_local()
        if self.texture_prompt is None:
            raise RuleError("text is missing; give words or an image of the look", field="text")

    def doubt(self) -> RuleError | None:
        """The API does not ask for words or images, and does not say what comes without them."""
        if self.texture_prompt is not None:
            return None
        return RuleError("Without words or an image the service chooses the look", field="text")


class Refine(TaskRequest):
    """Makes a draft finer."""

    name: ClassVar[str] = "refine"
    label: ClassVar[str] = "Refine"
    done_word: ClassVar[str] = "refined"
    summary: ClassVar[str] = "Make a draft of Text to Model finer"
    icon: ClassVar[str] = "MOD_SUBSURF"
    endpoint: ClassVar[str] = "/v3/models/refine"
    task_type: ClassVar[str] = "refine"
    other_types: ClassVar[tuple[str, ...]] = ("refine-model",)
    takes: ClassVar[Takes] = Takes.DRAFT_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.PROCESS
    category: ClassVar[Category] = Category.PROCESSING
    rate_group: ClassVar[RateGroup] = RateGroup.REFINE
    source_field: ClassVar[str | None] = "draft_model_task_id"
    keeps_surface: ClassVar[bool] = True
    source_takes: ClassVar[frozenset[str]] = frozenset({"text_to_model"})

    draft_model_task_id: Annotated[
        TaskText,
        Field(description="Text to Model task to refine; the selection's own task when left out"),
        Hints(source=True),
    ]


def _whole(value: float | None) -> float | None:
    # Blender's and the command line's numbers are 32.0, and a service may want an integer.
    return int(value) if value is not None and value == int(value) else value


class Stylize(TaskRequest):
    """Rebuilds a model in a style."""

    name: ClassVar[str] = "stylize"
    label: ClassVar[str] = "Stylize"
    done_word: ClassVar[str] = "stylized"
    summary: ClassVar[str] = "Rebuild the model from bricks, voxels or struts, or as a small object"
    icon: ClassVar[str] = "MOD_REMESH"
    quick: ClassVar[bool] = True
    endpoint: ClassVar[str] = "/v3/models/stylize"
    task_type: ClassVar[str] = "stylize-model"
    takes: ClassVar[Takes] = Takes.MODEL_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.PROCESS
    category: ClassVar[Category] = Category.PROCESSING
    source_field: ClassVar[str | None] = "original_model_task_id"
    keeps_shape: ClassVar[bool] = True
    title_fields: ClassVar[tuple[str, ...]] = ("style",)
    workload: ClassVar[float] = 3.0

    original_model_task_id: SourceTask
    style: Annotated[
        Literal["lego", "voxel", "voronoi", "minecraft", "keyring", "fridge_magnet", "keycap"] | None,
        Field(description="What the model becomes"),
        Hints(suggested="lego"),
    ] = None
    block_size: Annotated[
        float | int | None,
        AfterValidator(_whole),
        Field(description="Size of the blocks"),
        Hints(usual=(1, None), start=30),
    ] = None
    render_image: Annotated[bool | None, Field(description="Return a rendered image as well"), Advanced] = None
    vxc: Annotated[bool | None, Field(description="Return a voxel file; needs an entitled account"), Advanced] = None


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


def _vertex_colors(request: Convert) -> None:
    if request.export_vertex_colors and request.format not in ("OBJ", "GLTF"):
        raise RuleError(
            f"export_vertex_colors is true and format {request.format}; allowed: the formats OBJ and GLTF",
            field="export_vertex_colors",
        )


def _is_default(value: Any, default: Any) -> bool:
    """Whether an option says nothing new; a switch whose default the API does not tell is off by default."""
    return value is None or value == default or (value is False and default is None)


class Convert(TaskRequest):
    """Turns a model into another file format, with the usual clean-up on the way."""

    name: ClassVar[str] = "convert"
    label: ClassVar[str] = "Convert"
    done_word: ClassVar[str] = "converted"
    summary: ClassVar[str] = "Turn the model into another file format"
    icon: ClassVar[str] = "FILE_REFRESH"
    quick: ClassVar[bool] = True
    endpoint: ClassVar[str] = "/v3/models/convert"
    task_type: ClassVar[str] = "convert"
    other_types: ClassVar[tuple[str, ...]] = ("convert-model",)
    takes: ClassVar[Takes] = Takes.MODEL_TASK
    gives: ClassVar[Gives] = Gives.MODEL
    tier: ClassVar[Tier] = Tier.PROCESS
    category: ClassVar[Category] = Category.PROCESSING
    source_field: ClassVar[str | None] = "original_model_task_id"
    keeps_surface: ClassVar[bool] = True
    needs_true_size: ClassVar[bool] = True
    title_fields: ClassVar[tuple[str, ...]] = ("format",)
    workload: ClassVar[float] = 3.0
    file_kinds: ClassVar[FileKinds | None] = FileKinds(
        "format",
        (("GLTF", ".glb"), ("USDZ", ".usdz"), ("FBX", ".fbx"), ("OBJ", ".obj"), ("STL", ".stl"), ("3MF", ".3mf")),
    )

    result_kinds: ClassVar[FileKinds | None] = file_kinds

    rules: ClassVar[tuple[Rule, ...]] = (
        Rule("export_vertex_colors is for the formats OBJ and GLTF only", _vertex_colors),
    )

    original_model_task_id: SourceTask
    format: Annotated[
        Literal["GLTF", "USDZ", "FBX", "OBJ", "STL", "3MF"],
        BeforeValidator(_upper),
        Field(description="File format of the result"),
        Hints(suggested="GLTF"),
    ]
    face_limit: Annotated[
        int | None, Field(description="Reduce to at most this many faces"), Hints(usual=(1, None), start=5000)
    ] = None
    quad: Annotated[bool | None, Field(description="Rebuild with quads"), Advanced] = None
    texture_size: Annotated[
        int | None,
        Field(description="Largest width and height of the textures, in pixels"),
        Hints(usual=(16, 8192), start=1024),
    ] = None
    texture_format: Annotated[
        Literal["BMP", "DPX", "HDR", "JPEG", "OPEN_EXR", "PNG", "TARGA", "TIFF", "WEBP"] | None,
        BeforeValidator(_upper),
        Field(description="File format of the textures"),
        Advanced,
    ] = None
    scale_factor: Annotated[
        float | None, Field(description="Scale the model by this factor"), Hints(usual=(0.001, None), start=1)
    ] = None
    pivot_to_center_bottom: Annotated[
        bool | None,
        Field(description="Put the origin at the centre of the model's underside"),
        Hints(label="Pivot at Bottom"),
    ] = None
    export_orientation: Annotated[
        Literal["+x", "-x", "+y", "-y"],
        Field(description="Axis that the model's front faces"),
        Hints(label="Front Axis", advanced=True),
    ] = "+x"
    fbx_preset: Annotated[
        Literal["blender", "3dsmax", "mixamo", "bake_scale"],
        Field(description="Program that an FBX is made for"),
        Advanced,
    ] = "blender"
    flatten_bottom: Annotated[bool | None, Field(description="Cut the underside flat"), Advanced] = None
    flatten_bottom_threshold: Annotated[
        float | None,
        Field(description="How much of the height is cut"),
        Hints(label="Cut Height", advanced=True, usual=(0, 1), start=0.1),
    ] = None
    force_symmetry: Annotated[bool | None, Field(description="Mirror one half onto the other"), Advanced] = None
    bake: Annotated[bool | None, Field(description="Bake materials into one texture set"), Advanced] = None
    pack_uv: Annotated[bool | None, Field(description="Pack the UVs of all parts into one"), Advanced] = None
    part_names: PartNames = None
    with_animation: Annotated[bool | None, Field(description="Keep animations"), Advanced] = None
    assemble_animation: Annotated[
        bool | None, Field(description="Join animations into one"), Hints(label="Join Animations", advanced=True)
    ] = None
    animate_in_place: Annotated[bool | None, Field(description="Keep the root still"), Advanced] = None
    export_vertex_colors: Annotated[
        bool | None,
        Field(description="Write vertex colours; only OBJ and GLTF have them"),
        Hints(label="Vertex Colors", advanced=True),
    ] = None

    @property
    def is_complex(self) -> bool:
        """Whether the conversion bills at the complex tier: any option beside the format that is not its default."""
        plain = {"original_model_task_id", "format", *TaskRequest.model_fields}
        options = [(name, info) for name, info in type(self).model_fields.items() if name not in plain]
        return any(not _is_default(getattr(self, name), info.default) for name, info in options)
