"""A journal that another version wrote, or that was damaged: what can be read is shown."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

from asset_generation.addon.core.jobs.job import (
    Delivery,
    JobPlan,
    ModelPart,
    Origin,
    Placement,
    Snapshot,
    SnapshotObject,
    Source,
    SourceKind,
    SourcePose,
    Stage,
    StepPlan,
    TargetObject,
)
from asset_generation.addon.core.jobs.journal import Journal
from asset_generation.addon.core.jobs.place import Place
from asset_generation.addon.core.jobs.rows import plan_from_json, plan_to_json
from hypothesis import given
from hypothesis import strategies as st

PLAN = JobPlan("Bunny", Source(SourceKind.TASK, task_id="t0"), (StepPlan("decimate"),), Delivery())
JOB_COLUMNS = (
    "plan",
    "stage",
    "resume",
    "position",
    "tokens",
    "files",
    "delivered",
    "text",
    "created_at",
    "removed_at",
)
STEP_COLUMNS = ("candidates", "capability", "credits", "sends", "intent_at", "request_id", "task_id", "status")
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(st.characters(codec="utf-8"), max_size=20),
    st.binary(max_size=10),
    st.sampled_from(
        ["[]", "{}", "null", "[1]", '[["a"]]', '{"a": 1}', "[" * 5000, "create", "from-the-future", "9" * 5000]
    ),
)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
FIELDS: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**6), 10**6), FLOATS, TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
SNAPSHOTS = st.builds(
    Snapshot,
    objects=st.lists(
        st.builds(SnapshotObject, TEXTS, TEXTS, st.lists(FLOATS, min_size=16, max_size=16).map(tuple)),
        min_size=1,
        max_size=2,
    ).map(tuple),
    frame=st.one_of(st.just(()), st.lists(FLOATS, min_size=16, max_size=16).map(tuple)),
    scene_frame=st.integers(-1000, 1000),
)
SOURCES = st.one_of(
    st.builds(Source, kind=st.sampled_from(SourceKind), path=TEXTS, task_id=TEXTS),
    st.builds(Source, kind=st.just(SourceKind.SELECTION), path=TEXTS, snapshot=SNAPSHOTS),
)
PLACEMENTS = st.one_of(
    st.none(),
    st.builds(
        Placement,
        frame=st.lists(FLOATS, max_size=16).map(tuple),
        bounds=st.lists(FLOATS, max_size=6).map(tuple),
        collection=TEXTS,
        sources=st.lists(st.tuples(TEXTS, st.integers(0, 99)), max_size=2).map(tuple),
        hide_source=st.booleans(),
        poses=st.lists(
            st.builds(SourcePose, st.lists(FLOATS, max_size=16).map(tuple), TEXTS, st.integers(-9, 9)), max_size=2
        ).map(tuple),
        parts=st.lists(st.builds(ModelPart, TEXTS, st.lists(FLOATS, max_size=6).map(tuple)), max_size=2).map(tuple),
        place=st.sampled_from(Place),
        anchor=st.lists(FLOATS, max_size=6).map(tuple),
        rest_bounds=st.lists(FLOATS, max_size=6).map(tuple),
        anchors=st.lists(st.tuples(TEXTS, st.integers(0, 9)), max_size=2).map(tuple),
        target=st.one_of(
            st.none(),
            st.builds(
                TargetObject,
                *(TEXTS, st.integers(0, 9)),
                matrix=st.lists(FLOATS, max_size=16).map(tuple),
                bounds=st.lists(FLOATS, max_size=6).map(tuple),
                stretch=st.booleans(),
                after=TEXTS,
            ),
        ),
        placeholder=st.booleans(),
    ),
)
PLANS = st.builds(
    JobPlan,
    name=TEXTS,
    source=SOURCES,
    steps=st.lists(st.builds(StepPlan, TEXTS, st.dictionaries(TEXTS, FIELDS, max_size=3)), max_size=3).map(tuple),
    delivery=st.builds(
        Delivery,
        folder=TEXTS,
        origin=st.one_of(st.none(), st.just(Origin("Scene", "a.blend", "s"))),
        placement=PLACEMENTS,
    ),
)


@given(PLANS)
def test_any_plan_comes_back_as_it_was(plan: JobPlan) -> None:
    assert plan_from_json(plan_to_json(plan)) == plan
    json.loads(plan_to_json(plan))


@given(
    st.dictionaries(st.sampled_from(JOB_COLUMNS), VALUES, max_size=3),
    st.dictionaries(st.sampled_from(STEP_COLUMNS), VALUES, max_size=2),
)
def test_a_bad_row_hides_no_good_one(job: dict[str, Any], step: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        with contextlib.closing(Journal(path, "me")) as journal:
            for name in ("a", "b", "c"):
                journal.add(name, PLAN, "local", Stage.CREATE)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            for table, key, values in (("jobs", "id", job), ("steps", "job_id", step)):
                for column, value in values.items():
                    with contextlib.suppress(sqlite3.IntegrityError):  # NOT NULL
                        connection.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = 'b'", (value,))
            connection.commit()
        with contextlib.closing(Journal(path, "other")) as journal:
            assert {"a", "c"} <= {record.id for record in journal.jobs()} <= {"a", "b", "c"}
            assert {"a", "c"} <= set(journal.summaries())
            assert "b" not in journal.open_intents("local") or step
