"""What suites and files of tests take, as measured: so that those that run side by side end together."""

from __future__ import annotations

from pathlib import Path

_OF_KIND = {"engine": 410.0, "blender": 300.0}
"""Seconds of a suite that is one run of a whole folder, beside three others on two cores: such a suite has hardly more
than half a core.
"""

_WITH_NEW_PYTHON = {"engine": 340.0, "blender": 290.0}
"""The same with a further Blender that has a Python of its own: it has less to run."""

_REPEATED = {"engine": 240.0, "blender": 240.0}
"""The same with one that has the Python of another one."""

_OF_FILE: dict[str, dict[str, float]] = {
    "gui": {
        "test_again.py": 105,
        "test_assets.py": 85,
        "test_batches.py": 11,
        "test_chains.py": 185,
        "test_chinese.py": 36,
        "test_files.py": 76,
        "test_forms.py": 45,
        "test_job_list.py": 33,
        "test_objects.py": 56,
        "test_online.py": 45,
        "test_pictures.py": 23,
        "test_placement.py": 108,
        "test_places.py": 96,
        "test_press.py": 83,
        "test_recipes.py": 83,
        "test_show.py": 115,
        "test_sizes.py": 11,
        "test_ways_in.py": 88,
        "test_window.py": 212,
    },
    "service": {
        "assetgen/test_answer_bounds.py": 6,
        "assetgen/test_answers.py": 14,
        "assetgen/test_any_answer.py": 20,
        "assetgen/test_downloads.py": 5,
        "assetgen/test_files.py": 5,
        "assetgen/test_money.py": 3,
        "assetgen/test_resources.py": 5,
        "assetgen/test_transport.py": 4,
        "assetgen/test_with_local_engine.py": 2,
        "assetgen_local/test_accepts.py": 14,
        "assetgen_local/test_cores.py": 1,
        "assetgen_local/test_creation.py": 9,
        "assetgen_local/test_envelope.py": 8,
        "assetgen_local/test_faults.py": 4,
        "assetgen_local/test_files.py": 14,
        "assetgen_local/test_openapi.py": 17,
        "assetgen_local/test_pictures.py": 2,
        "assetgen_local/test_process.py": 22,
        "assetgen_local/test_references.py": 12,
        "assetgen_local/test_retention.py": 2,
        "assetgen_local/test_tasks.py": 18,
        "assetgen_local/test_webhooks.py": 2,
        "batches/test_batch.py": 16,
        "batches/test_farm.py": 50,
        "batches/test_many_workers.py": 34,
        "batches/test_recipe_batch.py": 110,
        "core/test_capabilities.py": 20,
        "core/test_flow.py": 19,
        "core/test_limits.py": 11,
        "core/test_main_thread.py": 12,
        "core/test_many.py": 11,
        "core/test_markers.py": 27,
        "core/test_money.py": 43,
        "core/test_old_journal.py": 4,
        "core/test_order.py": 7,
        "core/test_saved_files.py": 5,
        "core/test_storage.py": 6,
        "core/test_trouble.py": 30,
        "core/test_webhook_listener.py": 17,
        "devtools/test_campaign.py": 43,
        "devtools/test_soak.py": 16,
        "wire/test_documented_forms.py": 30,
    },
    "unit": {
        "background_blender/test_spare.py": 3,
        "cli/test_events.py": 3,
        "cli/test_main.py": 22,
        "cli/test_options.py": 7,
        "cli/test_recipes.py": 6,
        "cli/test_streams.py": 5,
        "core/jobs/test_any_row.py": 2,
        "core/stages/test_any_file.py": 4,
        "core/stages/test_glb_check.py": 2,
        "core/storage/test_storage.py": 2,
        "devtools/test_any_folder.py": 7,
        "devtools/test_layers.py": 7,
        "devtools/test_raw_names.py": 2,
        "devtools/test_testing.py": 3,
        "generation/test_local_fields.py": 3,
        "test_fork_server.py": 4,
    },
}
"""Seconds of a file of tests, by its path in the folder. One that is not here is judged by its words."""

_LONG_STEPS = {"gui": ("play(home,", 25.0), "service": ("\ndef test_", 0.5), "unit": ("def test_", 0.02)}
"""What takes long in such tests, by the words that stand for it: a start of Blender, or simply a test; and seconds."""


def of_kind(kind: str) -> float:
    """Seconds that a whole folder of tests takes with one Blender."""
    return _OF_KIND.get(kind, 0.0)


def of_repeated(kind: str, *, is_new_python: bool) -> float:
    """Seconds that a folder takes with a further Blender."""
    return (_WITH_NEW_PYTHON if is_new_python else _REPEATED).get(kind, 0.0)


def of_file(kind: str, name: str, path: Path) -> float:
    """Seconds that the tests of one file take."""
    known = _OF_FILE[kind].get(name)
    if known is not None:
        return known
    words, seconds = _LONG_STEPS[kind]
    return seconds * path.read_text(encoding="utf-8").count(words)
