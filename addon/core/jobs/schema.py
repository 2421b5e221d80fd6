"""The journal's tables, one script per version. A script that has been released is never changed; add another one."""

from __future__ import annotations

import sqlite3

from ..errors import JournalTrouble

_VERSIONS = (
    """
    CREATE TABLE jobs (
        id TEXT PRIMARY KEY,
        plan TEXT NOT NULL,
        service_id TEXT NOT NULL,
        stage TEXT NOT NULL,
        resume TEXT,
        position INTEGER NOT NULL DEFAULT 0,
        created_at REAL NOT NULL,
        changed_at REAL NOT NULL,
        revision INTEGER NOT NULL DEFAULT 1,
        asked_to_stop INTEGER NOT NULL DEFAULT 0,
        text TEXT NOT NULL DEFAULT '',
        error TEXT NOT NULL DEFAULT '',
        advice TEXT NOT NULL DEFAULT '',
        request_id TEXT NOT NULL DEFAULT '',
        exit_code INTEGER NOT NULL DEFAULT 0,
        error_code INTEGER NOT NULL DEFAULT 0,
        tokens TEXT NOT NULL DEFAULT '{}',
        result TEXT NOT NULL DEFAULT '',
        blend TEXT NOT NULL DEFAULT '',
        owner TEXT NOT NULL DEFAULT '',
        applier TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE TABLE steps (
        job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        capability TEXT NOT NULL,
        request_id TEXT NOT NULL DEFAULT '',
        intent_at REAL NOT NULL DEFAULT 0,
        sends INTEGER NOT NULL DEFAULT 0,
        task_id TEXT NOT NULL DEFAULT '',
        task_type TEXT NOT NULL DEFAULT '',
        answered_at REAL NOT NULL DEFAULT 0,
        finished_at REAL NOT NULL DEFAULT 0,
        status TEXT NOT NULL DEFAULT '',
        credits TEXT NOT NULL DEFAULT '',
        candidates TEXT NOT NULL DEFAULT '[]',
        PRIMARY KEY (job_id, position)
    ) STRICT;
    -- Every task that was ever ours, also of jobs that were dismissed: a task that is not in here is unknown,
    -- and only an unknown task can be the one whose answer was lost.
    CREATE TABLE tasks (
        task_id TEXT NOT NULL,
        service_id TEXT NOT NULL,
        capability TEXT NOT NULL,
        task_type TEXT NOT NULL,
        answered_at REAL NOT NULL,
        PRIMARY KEY (service_id, task_id)
    ) STRICT, WITHOUT ROWID;
    -- Who runs jobs. Whether an owner still lives is told by the lock on its file; this is for people who look.
    CREATE TABLE owners (
        id TEXT PRIMARY KEY,
        host TEXT NOT NULL,
        pid INTEGER NOT NULL,
        started_at REAL NOT NULL
    ) STRICT;
    """,
    """
    ALTER TABLE jobs ADD COLUMN files TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE jobs ADD COLUMN delivered TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE jobs ADD COLUMN answer TEXT NOT NULL DEFAULT '';
    -- What tasks cost, the last one of each kind: what the next one like it will cost, more or less.
    CREATE TABLE charges (
        service_id TEXT NOT NULL,
        capability TEXT NOT NULL,
        settings TEXT NOT NULL,
        credits TEXT NOT NULL,
        charged_at REAL NOT NULL,
        PRIMARY KEY (service_id, capability, settings)
    ) STRICT, WITHOUT ROWID;
    INSERT OR REPLACE INTO charges
        SELECT jobs.service_id, steps.capability, '', steps.credits, steps.finished_at
        FROM steps JOIN jobs ON jobs.id = steps.job_id
        WHERE steps.status = 'success' AND steps.credits <> ''
        ORDER BY steps.finished_at;
    """,
    """
    -- What the requests of a step carry, so that the service's echo tells which task is whose.
    ALTER TABLE steps ADD COLUMN marker TEXT NOT NULL DEFAULT '';
    -- Whether one of them may have left without it, and how many were given up although their answer was lost.
    ALTER TABLE steps ADD COLUMN unmarked INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE steps ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
    -- When the user took the job off the list (its row stays as long as its files), and when its result was first
    -- brought into a scene or copied into a folder. 0: never.
    ALTER TABLE jobs ADD COLUMN removed_at REAL NOT NULL DEFAULT 0;
    ALTER TABLE jobs ADD COLUMN used_at REAL NOT NULL DEFAULT 0;
    UPDATE jobs SET used_at = changed_at WHERE stage = 'applied' OR delivered <> '[]';
    -- What a service was seen to do with markers: echoed, dropped or refused.
    CREATE TABLE services (
        service_id TEXT PRIMARY KEY,
        markers TEXT NOT NULL DEFAULT '',
        noted_at REAL NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    """,
)


def prepare(connection: sqlite3.Connection) -> None:
    """Brings a journal up to this version of the extension.

    Raises:
        JournalTrouble: It was written by a newer version, whose rules we cannot know.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == len(_VERSIONS):
        return
    if version > len(_VERSIONS):
        raise JournalTrouble(
            "The list of jobs was written by a newer version of this extension",
            "Update the extension, or choose another data folder in the preferences",
        )
    # executescript commits what is open, so the transaction is part of the script: all of it happens, or nothing.
    for number in range(version, len(_VERSIONS)):
        script = f"BEGIN EXCLUSIVE; {_VERSIONS[number]} PRAGMA user_version = {number + 1}; COMMIT;"
        try:
            connection.executescript(script)
        except sqlite3.OperationalError:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            # Another process may have been quicker with the same step.
            (now,) = connection.execute("PRAGMA user_version").fetchone()
            if now <= number:
                raise
