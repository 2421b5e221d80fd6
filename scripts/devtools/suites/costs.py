"""What suites and files of tests take, as measured: so that those that run side by side end together."""

from __future__ import annotations

from pathlib import Path

_OF_KIND = {"engine": 450.0, "blender": 300.0}
"""Seconds of a suite that is one run of a whole folder, beside three others on two cores. Such a suite has hardly more
than half a core: it computes for 260 and 175 s.
"""

_REPEATED = {"engine": 240.0, "blender": 230.0}
"""The same with a further Blender, which has less to run."""

_OF_FILE: dict[str, dict[str, float]] = {
    "blender": {
        "test_addon_again.py": 10,
        "test_addon_assembly.py": 4,
        "test_addon_clean_up.py": 7,
        "test_addon_convert.py": 3,
        "test_addon_drops.py": 2,
        "test_addon_fields.py": 3,
        "test_addon_fingerprint.py": 3,
        "test_addon_free_place.py": 2,
        "test_addon_kept.py": 9,
        "test_addon_library.py": 6,
        "test_addon_made_objects.py": 2,
        "test_addon_main_thread.py": 2,
        "test_addon_many.py": 2,
        "test_addon_modes.py": 1,
        "test_addon_motions.py": 11,
        "test_addon_moved_sources.py": 8,
        "test_addon_numbers.py": 3,
        "test_addon_origins.py": 14,
        "test_addon_parts.py": 3,
        "test_addon_pictures.py": 1,
        "test_addon_placeholders.py": 1,
        "test_addon_places.py": 5,
        "test_addon_planning.py": 7,
        "test_addon_pump.py": 3,
        "test_addon_recipes.py": 4,
        "test_addon_refusals.py": 3,
        "test_addon_registration.py": 10,
        "test_addon_result_kinds.py": 5,
        "test_addon_results.py": 15,
        "test_addon_scripting.py": 6,
        "test_addon_scripts.py": 1,
        "test_addon_sizes.py": 2,
        "test_addon_storage.py": 4,
        "test_addon_surface_layers.py": 2,
        "test_addon_trouble.py": 9,
        "test_addon_unsaved_images.py": 1,
        "test_addon_upload_facts.py": 3,
        "test_addon_ways_in.py": 1,
        "test_cli_command.py": 1,
        "test_cli_process.py": 3,
        "test_file_to_glb.py": 3,
        "test_large_meshes.py": 2,
        "test_own_files.py": 2,
    },
    "engine": {
        "test_carried.py": 3,
        "test_convert.py": 14,
        "test_decimate.py": 3,
        "test_image_to_model.py": 1,
        "test_images.py": 2,
        "test_import.py": 1,
        "test_materials.py": 8,
        "test_multiview.py": 3,
        "test_odd_models.py": 1,
        "test_retarget.py": 8,
        "test_rig.py": 66,
        "test_segment.py": 43,
        "test_text_to_model.py": 4,
        "test_texture.py": 4,
    },
    "gui": {
        "test_again.py": 105,
        "test_assets.py": 85,
        "test_batches.py": 11,
        "test_chains.py": 90,
        "test_chinese.py": 36,
        "test_files.py": 76,
        "test_forms.py": 45,
        "test_job_list.py": 33,
        "test_objects.py": 56,
        "test_online.py": 45,
        "test_pictures.py": 23,
        "test_placement.py": 100,
        "test_places.py": 96,
        "test_press.py": 28,
        "test_recipes.py": 83,
        "test_show.py": 89,
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
        "assetgen_local/test_process.py": 41,
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
"""Seconds of a file of tests, by its path in the folder; of those with bpy what a quick run has of it, since only there
they are divided. One that is not here is judged by its words.
"""

_LONG_STEPS = {
    "blender": ("\ndef test_", 0.1),
    "engine": ("\ndef test_", 0.1),
    "gui": ("play(home,", 25.0),
    "service": ("\ndef test_", 0.5),
    "unit": ("def test_", 0.02),
}
"""What takes long in such tests, by the words that stand for it: a start of Blender, or simply a test; and seconds."""


def of_kind(kind: str) -> float:
    """Seconds that a whole folder of tests takes with one Blender."""
    return _OF_KIND.get(kind, 0.0)


def of_repeated(kind: str) -> float:
    """Seconds that a folder takes with a further Blender."""
    return _REPEATED.get(kind, 0.0)


def of_file(kind: str, name: str, path: Path) -> float:
    """Seconds that the tests of one file take."""
    known = _OF_FILE[kind].get(name)
    if known is not None:
        return known
    words, seconds = _LONG_STEPS[kind]
    return seconds * path.read_text(encoding="utf-8").count(words)
