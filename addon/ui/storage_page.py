"""What results take on the disk, in the preferences: a table by age, a list of results, and what can be done."""

from __future__ import annotations

import time

import bpy

from ..bridge import storage
from ..bridge.state import state
from ..core.storage.report import AgeGroup, StorageReport, StoredResult, all_results, by_age
from ..text_layout import BOX, paragraph, region_width, shortened

_SHOWN = 8
"""Results on one page of the list."""

_NARROW = 560
"""Pixels at scale 1: below it the columns of the list do not fit side by side."""

_AROUND = 190  # what the borders, the buttons and the icon of a row take away, in the same pixels

_TABLE = (0.3, 0.2, 0.2, 0.3)
_WIDE_LIST = (0.5, 0.24, 0.13, 0.13)
_NARROW_LIST = (0.7, 0.3)
"""Shares of a row that columns take."""


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Adds the page to the preferences. It only reads; nothing is looked at before Scan is pressed."""
    report = storage.report()
    row = layout.row()
    row.label(text="Storage", icon="DISK_DRIVE")
    buttons = row.row(align=True)
    buttons.operator("assetgen.storage_open", icon="FILE_FOLDER")
    buttons.operator("assetgen.storage_scan", text="Scan Again" if report else "Scan", icon="FILE_REFRESH")
    if state.storage.busy:
        layout.progress(factor=state.storage.fraction, type="BAR", text=state.storage.busy)
    elif state.storage.sentence:
        words = state.storage.sentence + "."
        paragraph(layout, words, context, icon="CHECKMARK" if state.storage.ok else "ERROR")
    if report is None:
        if not state.storage.busy:
            paragraph(layout, "Press Scan to see what results take on the disk.", context, quiet=True)
        return
    if not report.results:
        paragraph(layout, "There are no results yet.", context, quiet=True)
    else:
        _draw_table(layout.box(), report, context)
        _draw_list(layout.box(), report, context)
    _draw_others(layout, report, context)


def _draw_table(box: bpy.types.UILayout, report: StorageReport, context: bpy.types.Context) -> None:
    column = box.column(align=True)
    _draw_row(column, "", "Results", "Size", "Never Used", quiet=True)
    for group in by_age(report):
        _draw_group(column, group)
    column.separator()
    _draw_group(column, all_results(report))
    row = box.row()
    row.operator("assetgen.storage_delete_older", icon="TRASH")
    if any(result.never_used for result in report.results):
        words = "Results that were never in a scene or a folder are deleted one by one only."
        paragraph(box, words, context, quiet=True, indent=BOX)


def _draw_group(column: bpy.types.UILayout, group: AgeGroup) -> None:
    from ..core.storage.words import size_text

    unused = f"{group.never_used}  ({size_text(group.never_used_bytes)})" if group.never_used else "-"
    size = size_text(group.bytes) if group.number else "-"
    _draw_row(column, group.label, str(group.number or "-"), size, unused)


def _draw_row(column: bpy.types.UILayout, *cells: str, quiet: bool = False) -> None:
    row = column.row()
    row.active = not quiet
    for cell, words in zip(_cells(row, *_TABLE), cells, strict=True):
        cell.label(text=words)


def _cells(row: bpy.types.UILayout, *shares: float) -> list[bpy.types.UILayout]:
    """Parts of a row with the same widths in every row; all but the first have their words at the right."""
    cells = []
    for number, share in enumerate(shares):
        is_last = number == len(shares) - 1
        split = row if is_last else row.split(factor=share / sum(shares[number:]))
        cell = split.row()
        cell.alignment = "RIGHT" if number else "EXPAND"
        cells.append(cell)
        row = split
    return cells


def _draw_list(box: bpy.types.UILayout, report: StorageReport, context: bpy.types.Context) -> None:
    view = storage.view
    unused = [result for result in report.results if result.never_used]
    results = unused if view.only_unused else list(report.results)
    first = min(view.first, max(0, len(results) - 1)) // _SHOWN * _SHOWN
    row = box.row()
    tabs = row.row(align=True)
    for words, only_unused in ((f"All ({len(report.results)})", False), (f"Never Used ({len(unused)})", True)):
        tab = tabs.operator("assetgen.storage_show", text=words, depress=view.only_unused is only_unused)
        tab.only_unused = only_unused
    _draw_pages(row, first, len(results), view.only_unused)
    column = box.column(align=True)
    wide = region_width(context) > _NARROW
    for result in results[first : first + _SHOWN]:
        share = (_WIDE_LIST if wide else _NARROW_LIST)[0]
        name = shortened(result.name, context, place=share * (region_width(context) - _AROUND))
        _draw_result(column, result, name, wide)
    if not results:
        paragraph(column, "Every result was used.", context, quiet=True, indent=BOX)


def _draw_pages(row: bpy.types.UILayout, first: int, number: int, only_unused: bool) -> None:
    if number <= _SHOWN:
        return
    last = min(first + _SHOWN, number)
    pages = row.row(align=True)
    pages.alignment = "RIGHT"
    pages.label(text=f"{first + 1}-{last} of {number}")
    for icon, target in (("TRIA_LEFT", first - _SHOWN), ("TRIA_RIGHT", first + _SHOWN)):
        part = pages.row(align=True)
        part.enabled = 0 <= target < number
        button = part.operator("assetgen.storage_show", text="", icon=icon)
        button.first, button.only_unused = target, only_unused


def _draw_result(column: bpy.types.UILayout, result: StoredResult, name: str, wide: bool) -> None:
    from ..core.storage.words import age_text, size_text, use_text

    row = column.row()
    cells = _cells(row.row(), *(_WIDE_LIST if wide else _NARROW_LIST))
    icon = "SORTTIME" if result.stays else "CHECKMARK" if result.used_at else "RADIOBUT_OFF"
    cells[0].label(text=name, icon=icon, translate=False)
    facts = [use_text(result), age_text(result, time.time())] * wide + [size_text(result.bytes)]
    for cell, words in zip(cells[1:], facts, strict=True):
        cell.label(text=words)
    buttons = row.row(align=True)
    if result.can_be_put_back:
        buttons.operator("assetgen.storage_put_back", text="", icon="LOOP_BACK", emboss=False).job_id = result.id
    else:
        buttons.label(icon="BLANK1")
    buttons.operator("assetgen.storage_open", text="", icon="FILE_FOLDER", emboss=False).job_id = result.id
    delete = buttons.row(align=True)
    delete.enabled = not result.stays
    delete.operator("assetgen.storage_delete", text="", icon="TRASH", emboss=False).job_id = result.id


def _draw_others(layout: bpy.types.UILayout, report: StorageReport, context: bpy.types.Context) -> None:
    from ..core.storage.words import size_text

    facts = [f"As of {time.strftime('%H:%M', time.localtime(report.scanned_at))}"]
    if report.set_aside_files:
        damaged = "damaged file" if report.set_aside_files == 1 else "damaged files"
        facts.append(f"{report.set_aside_files} {damaged} set aside among the results, {size_text(report.set_aside)}")
    if report.snapshots:
        facts.append(f"snapshots of running jobs {size_text(report.snapshots)}")
    if report.local_engine:
        facts.append(f"the local engine's own files {size_text(report.local_engine)}")
    paragraph(layout, "; ".join(facts) + ".", context, quiet=True)
