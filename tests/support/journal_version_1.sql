-- A result that waits, a running task, a lost answer: dumped from a file that the code of schema version 1 wrote.
BEGIN TRANSACTION;
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
INSERT INTO "jobs" VALUES('20261121-1-ready','{"name": "Decimate Cube", "source": {"kind": "selection", "path": "/d/snap.blend", "task_id": "", "details": {"objects": [{"name": "Cube"}]}}, "steps": [{"capability": "import_model", "fields": {}}, {"capability": "decimate", "fields": {"face_limit": 5000}}], "delivery": {"origin": {"scene": "Scene", "blend_path": "/a/b.blend", "session": "s1"}, "placement": {"frame": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], "bounds": [0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "collection": "Collection", "sources": [["Cube", 7]], "hide_source": true}, "folder": ""}}','local','ready',NULL,1,1763750003.5,1763750024.5,9,0,'','','','',0,0,'{"source": "file_1"}','/d/results/1/model.glb','/d/results/1/result.blend','','');
INSERT INTO "jobs" VALUES('20261121-2-waits','{"name": "Texture Cube", "source": {"kind": "task", "path": "", "task_id": "t-2", "details": {}}, "steps": [{"capability": "texture", "fields": {"text": "rusty", "image": "/i/look.png"}}], "delivery": {"origin": null, "placement": null, "folder": "/out"}}','local','wait',NULL,0,1763750026.0,1763750033.5,4,0,'','','','',0,0,'{"/i/look.png": "file_2"}','','','1-aaa','');
INSERT INTO "jobs" VALUES('20261121-3-asks','{"name": "Texture Cube", "source": {"kind": "task", "path": "", "task_id": "t-2", "details": {}}, "steps": [{"capability": "texture", "fields": {"text": "rusty", "image": "/i/look.png"}}], "delivery": {"origin": null, "placement": null, "folder": "/out"}}','local','uncertain','create',0,1763750035.0,1763750039.5,3,0,'','The answer was lost','Adopt','r4',6,0,'{}','','','','');
CREATE TABLE owners (
        id TEXT PRIMARY KEY,
        host TEXT NOT NULL,
        pid INTEGER NOT NULL,
        started_at REAL NOT NULL
    ) STRICT;
INSERT INTO "owners" VALUES('1-aaa','host',1,1763750002.0);
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
INSERT INTO "steps" VALUES('20261121-1-ready',0,'import_model','r1',1763750006.5,1,'t-1','import-model',1763750009.5,1763750012.5,'success','0','[]');
INSERT INTO "steps" VALUES('20261121-1-ready',1,'decimate','r2',1763750015.5,1,'t-2','decimate-model',1763750018.5,1763750021.5,'success','5','[]');
INSERT INTO "steps" VALUES('20261121-2-waits',0,'texture','r3',1763750029.0,2,'t-3','texture-model',1763750032.0,0.0,'queued','','[]');
INSERT INTO "steps" VALUES('20261121-3-asks',0,'texture','r4',1763750036.5,1,'','',0.0,0.0,'','','["t-8", "t-9"]');
CREATE TABLE tasks (
        task_id TEXT NOT NULL,
        service_id TEXT NOT NULL,
        capability TEXT NOT NULL,
        task_type TEXT NOT NULL,
        answered_at REAL NOT NULL,
        PRIMARY KEY (service_id, task_id)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "tasks" VALUES('t-1','local','import_model','import-model',1763750009.5);
INSERT INTO "tasks" VALUES('t-2','local','decimate','decimate-model',1763750018.5);
INSERT INTO "tasks" VALUES('t-3','local','texture','texture-model',1763750032.0);
COMMIT;
PRAGMA user_version = 1;
