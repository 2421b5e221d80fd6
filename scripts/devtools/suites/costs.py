"""What suites and files of tests take, as measured: so that those that run side by side end together."""

from __future__ import annotations

from pathlib import Path

_WITH_NEW_PYTHON = {"engine": 910.0, "blender": 290.0}
"""Seconds of a whole folder with a further Blender that has a Python of its own, beside three other suites on two
cores: it has less to run than the first one.
"""

_REPEATED = {"engine": 460.0, "blender": 200.0}
"""The same with one that has the Python of another one."""

_OF_FILE: dict[str, dict[str, float]] = {
    "gui": {
        "test_again.py": 122,
        "test_assets.py": 61,
        "test_batches.py": 9,
        "test_chains.py": 153,
        "test_chinese.py": 34,
        "test_files.py": 38,
        "test_forms.py": 45,
        "test_job_list.py": 33,
        "test_objects.py": 19,
        "test_online.py": 46,
        "test_pictures.py": 28,
        "test_placement.py": 71,
        "test_places.py": 71,
        "test_press.py": 77,
        "test_recipes.py": 65,
        "test_show.py": 110,
        "test_sizes.py": 12,
        "test_ways_in.py": 80,
        "test_window.py": 298,
    },
    "service": {
        "assetgen/test_answer_bounds.py": 2,
        "assetgen/test_any_answer.py": 24,
        "assetgen/test_batch_example.py": 6,
        "assetgen/test_files.py": 2,
        "assetgen/test_resources.py": 1,
        "assetgen/test_transport.py": 3,
        "assetgen_local/test_accepts.py": 4,
        "assetgen_local/test_creation.py": 4,
        "assetgen_local/test_envelope.py": 7,
        "assetgen_local/test_faults.py": 3,
        "assetgen_local/test_files.py": 6,
        "assetgen_local/test_openapi.py": 16,
        "assetgen_local/test_pictures.py": 2,
        "assetgen_local/test_process.py": 17,
        "assetgen_local/test_references.py": 1,
        "assetgen_local/test_tasks.py": 9,
        "assetgen_local/test_webhooks.py": 2,
        "batches/test_batch.py": 15,
        "batches/test_ended_anywhere.py": 57,
        "batches/test_farm.py": 19,
        "batches/test_many_workers.py": 46,
        "batches/test_recipe_batch.py": 101,
        "core/test_capabilities.py": 13,
        "core/test_flow.py": 8,
        "core/test_late_pictures.py": 1,
        "core/test_limits.py": 8,
        "core/test_main_thread.py": 8,
        "core/test_many.py": 13,
        "core/test_markers.py": 25,
        "core/test_money.py": 46,
        "core/test_old_journal.py": 1,
        "core/test_order.py": 5,
        "core/test_recipes.py": 7,
        "core/test_saved_files.py": 2,
        "core/test_storage.py": 2,
        "core/test_trouble.py": 18,
        "core/test_webhook_listener.py": 15,
        "devtools/test_campaign.py": 28,
        "devtools/test_soak.py": 15,
        "wire/test_documented_forms.py": 7,
    },
    "engine": {
        "test_carried.py": 12,
        "test_convert.py": 61,
        "test_decimate.py": 116,
        "test_fronts.py": 6,
        "test_image_to_model.py": 25,
        "test_images.py": 41,
        "test_import.py": 12,
        "test_joints.py": 20,
        "test_many_objects.py": 89,
        "test_many_pieces.py": 67,
        "test_materials.py": 17,
        "test_multiview.py": 16,
        "test_odd_models.py": 8,
        "test_over_http.py": 5,
        "test_photographs.py": 21,
        "test_retarget.py": 32,
        "test_rig.py": 187,
        "test_rig_feet.py": 5,
        "test_rig_proportions.py": 118,
        "test_segment.py": 110,
        "test_sources.py": 12,
        "test_strangers.py": 58,
        "test_stylize.py": 36,
        "test_text_to_model.py": 42,
        "test_texture.py": 74,
    },
    "blender": {
        "test_addon_again.py": 7,
        "test_addon_assembly.py": 3,
        "test_addon_clean_up.py": 6,
        "test_addon_convert.py": 3,
        "test_addon_kept.py": 7,
        "test_addon_library.py": 6,
        "test_addon_local_engine.py": 7,
        "test_addon_motions.py": 9,
        "test_addon_moved_sources.py": 6,
        "test_addon_origins.py": 10,
        "test_addon_places.py": 3,
        "test_addon_planning.py": 6,
        "test_addon_real_models.py": 4,
        "test_addon_recipes.py": 14,
        "test_addon_registration.py": 5,
        "test_addon_result_kinds.py": 3,
        "test_addon_results.py": 13,
        "test_addon_scripting.py": 6,
        "test_addon_storage.py": 4,
        "test_addon_surface_layers.py": 3,
        "test_addon_trouble.py": 8,
        "test_addon_wire.py": 4,
        "test_cli_command.py": 10,
        "test_cli_process.py": 11,
        "test_examples.py": 22,
        "test_file_to_glb.py": 4,
    },
    "unit": {
        "background_blender/test_spare.py": 14,
        "cli/test_completion.py": 4,
        "cli/test_main.py": 31,
        "cli/test_options.py": 2,
        "cli/test_recipes.py": 4,
        "cli/test_streams.py": 2,
        "core/runtime/test_task_poller.py": 3,
        "devtools/test_any_folder.py": 3,
        "devtools/test_layers.py": 2,
        "devtools/test_testing.py": 3,
    },
}
"""Seconds of a file of tests with the first Blender, by its path in the folder; others are judged by their words."""

_LONG_STEPS = {
    "gui": ("play(home,", 25.0),
    "service": ("\ndef test_", 0.5),
    "engine": ("def test_", 0.2),
    "blender": ("def test_", 0.2),
    "unit": ("def test_", 0.02),
}
"""What takes long in such tests, by the words that stand for it: a start of Blender, or simply a test; and seconds."""


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
