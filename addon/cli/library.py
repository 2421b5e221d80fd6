"""``assetgen library``: results as assets of Blender. No runtime: no job goes on by this."""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from ...vendor.assetgen.contract import CAPABILITIES, Gives
from ..core.errors import Refused
from ..core.jobs.job import JobView
from ..core.library.save_asset import AssetObjects, save_asset
from ..core.paths import Locations
from ..core.settings import Settings
from ..core.stages.converter import BackgroundConverter
from ..core.status.error_messages import ExitCode
from ..core.status.job_words import headline
from .environment import BLENDER_VARIABLE, find_blender
from .jobs import known_job
from .parsing import Parser
from .progress import Reporter


def add_commands(commands: Any) -> None:
    """Adds ``library`` and its sub-command."""
    parser: Parser = commands.add_parser("library", description="Results as assets of Blender.")
    actions = parser.add_subparsers(prog=parser.prog, metavar="ACTION", required=True, parser_class=Parser)
    adding = actions.add_parser(
        "add",
        help="save results into an asset library",
        description=(
            "Saves results into the folder of an asset library, each as a .blend of its own with picture, tags and\n"
            "catalog. Saved again, one replaces its own file, unless that was changed meanwhile."
        ),
    )
    adding.add_argument("ids", metavar="ID", nargs="+", help="a job, as `jobs list --all` names it")
    adding.add_argument(
        "--library",
        metavar="FOLDER",
        help="the library's folder; inside Blender, the library of its preferences when left out",
    )
    adding.add_argument("--json", action="store_true", help="print one JSON object a line")
    adding.set_defaults(run=_add)


def _add(options: argparse.Namespace, settings: Settings, show: Reporter) -> int:
    jobs = [_with_model(known_job(job_id, settings)) for job_id in dict.fromkeys(options.ids)]
    if "bpy" not in sys.modules and find_blender() is None:
        raise Refused(
            "An asset is written by Blender, and there is none here",
            f"Name its program in the variable {BLENDER_VARIABLE}",
        )
    folder = Path(options.library).absolute() if options.library else _chosen_library()
    for job in jobs:
        path = _save(job, folder, settings)
        show.result("asset", f"Saved {job.name}", [str(path)], job=job.id, path=str(path))
    return ExitCode.DONE


def _with_model(job: JobView) -> JobView:
    made = CAPABILITIES.get(job.steps[-1].capability) if job.steps else None
    if made is None or made.gives is not Gives.MODEL or not (job.blend or job.result):
        raise Refused(f"{job.name} has no model that can be an asset")
    if not Path(job.blend or job.result).is_file():
        raise Refused(f"The files of {job.name} were deleted", f"assetgen jobs retry {job.id} fetches them again")
    return job


def _chosen_library() -> Path:
    if "bpy" not in sys.modules:
        raise Refused("No asset library is named", "Name its folder with --library")
    from ..bridge import library  # it imports bpy

    return library.folder_of(library.chosen_name())


def _save(job: JobView, folder: Path, settings: Settings) -> Path:
    locations = Locations(settings.data_dir)
    if job.blend:
        return save_asset(job, AssetObjects(Path(job.blend)), folder, settings.blender, locations)
    with tempfile.TemporaryDirectory(prefix="assetgen-", ignore_cleanup_errors=True) as temporary:
        blend = Path(temporary) / "result.blend"
        with closing(BackgroundConverter(lambda: settings.blender)) as converter:
            converter.to_blend(Path(job.result), blend, headline(job), lambda *_: None, lambda: False)
        return save_asset(job, AssetObjects(blend), folder, settings.blender, locations)
