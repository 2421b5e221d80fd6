-- Dumped from a file that the code before typed snapshots wrote, whose process is gone: a snapshot that waits for its
-- upload, a running task, a lost answer, a result that waits, an upload that failed. Tests put their own in the places of
-- ``/the-data``, ``the-service``, ``the-source-task``, ``the-running-task`` and ``the-lost-task``.
BEGIN TRANSACTION;
CREATE TABLE charges (
        service_id TEXT NOT NULL,
        capability TEXT NOT NULL,
        settings TEXT NOT NULL,
        credits TEXT NOT NULL,
        charged_at REAL NOT NULL,
        PRIMARY KEY (service_id, capability, settings)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "charges" VALUES('the-service','import_model','{}','0',1763750032.0);
INSERT INTO "charges" VALUES('the-service','texture','{"image": "set", "text": "set"}','10',1763750042.5);
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
    , files TEXT NOT NULL DEFAULT '[]', delivered TEXT NOT NULL DEFAULT '[]', answer TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "jobs" VALUES('20261121-1-uploads','{"name": "Decimate Chair", "source": {"kind": "selection", "path": "/the-data/snapshots/one.blend", "task_id": "", "details": {"objects": [{"name": "Chair", "title": "Chair ä", "matrix": [1.0, 0.0, 0.0, 2.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]}, {"name": "Lamp.001", "title": "Lamp.001", "matrix": [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]}], "frame": [1.0, 0.0, 0.0, 2.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], "scene_frame": 24, "images": {"Paint": "/the-data/snapshots/one-0.png"}, "fingerprints": ["f-1", ""]}}, "steps": [{"capability": "import_model", "fields": {}}, {"capability": "decimate", "fields": {"face_limit": 5000}}], "delivery": {"origin": {"scene": "Scene", "blend_path": "/a/b.blend", "session": "s1", "frame_rate": 30.0}, "placement": {"frame": [1.0, 0.0, 0.0, 2.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], "bounds": [0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "collection": "Collection", "sources": [["Chair ä", 7], ["Lamp.001", 8]], "hide_source": true}, "folder": ""}}','the-service','upload',NULL,0,1763750002.0,1763750002.0,1,0,'','','','',0,0,'{}','','','1-aaa','','[]','[]','');
INSERT INTO "jobs" VALUES('20261121-2-waits','{"name": "Decimate Chair", "source": {"kind": "task", "path": "", "task_id": "the-source-task", "details": {"capability": "text_to_model"}}, "steps": [{"capability": "decimate", "fields": {"face_limit": 5000}}], "delivery": {"origin": null, "placement": null, "folder": "/the-data/out"}}','the-service','wait',NULL,0,1763750003.5,1763750011.0,4,0,'In the queue','','','',0,0,'{}','','','1-aaa','','[]','[]','');
INSERT INTO "jobs" VALUES('20261121-3-asks','{"name": "Text to Model: a chair", "source": {"kind": "nothing", "path": "", "task_id": "", "details": {"title": "a chair"}}, "steps": [{"capability": "text_to_model", "fields": {"prompt": "a chair", "model_version": "P2-20260801"}}], "delivery": {"origin": {"scene": "Scene", "blend_path": "", "session": "s1", "frame_rate": 24.0}, "placement": null, "folder": ""}}','the-service','uncertain','create',0,1763750012.5,1763750017.0,3,0,'','The answer to the request was lost, and the service has 2 tasks that it could be','Adopt takes the task the-lost-task, Resend starts another task, which may be paid twice, Forget gives up','r3',6,0,'{}','','','','','[]','[]','');
INSERT INTO "jobs" VALUES('20261121-4-ready','{"name": "Texture Chair", "source": {"kind": "selection", "path": "/the-data/snapshots/four.blend", "task_id": "", "details": {"objects": [{"name": "Chair", "title": "Chair ä", "matrix": [1.0, 0.0, 0.0, 2.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]}, {"name": "Lamp.001", "title": "Lamp.001", "matrix": [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]}], "frame": [1.0, 0.0, 0.0, 2.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], "scene_frame": 24, "images": {"Paint": "/the-data/snapshots/four-0.png"}, "fingerprints": ["f-1", ""]}}, "steps": [{"capability": "import_model", "fields": {}}, {"capability": "texture", "fields": {"text": "rusty", "image": "/i/look.png"}}], "delivery": {"origin": {"scene": "Scene", "blend_path": "/a/b.blend", "session": "s1", "frame_rate": 30.0}, "placement": {"frame": [1.0, 0.0, 0.0, 2.5, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], "bounds": [0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "collection": "Collection", "sources": [["Chair ä", 7], ["Lamp.001", 8]], "hide_source": true}, "folder": ""}}','the-service','ready',NULL,1,1763750018.5,1763750048.5,13,0,'','','','',0,0,'{"source": "file_1", "/i/look.png": "file_2"}','/the-data/results/20261121-4-ready/model.glb','/the-data/results/20261121-4-ready/result.blend','','','[["model", "/the-data/results/20261121-4-ready/model.glb"], ["rendered_image", "/the-data/results/20261121-4-ready/preview.png"]]','[]','');
INSERT INTO "jobs" VALUES('20261121-5-failed','{"name": "Import chair.glb", "source": {"kind": "model_file", "path": "/the-data/chair.glb", "task_id": "", "details": {}}, "steps": [{"capability": "import_model", "fields": {}}], "delivery": {"origin": null, "placement": null, "folder": ""}}','the-service','failed','upload',0,1763750050.0,1763750051.5,2,0,'','No answer came in time','Press Retry','',5,0,'{}','','','','','[]','[]','');
CREATE TABLE owners (
        id TEXT PRIMARY KEY,
        host TEXT NOT NULL,
        pid INTEGER NOT NULL,
        started_at REAL NOT NULL
    ) STRICT;
INSERT INTO "owners" VALUES('1-aaa','host',1,1763750000.5);
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
INSERT INTO "steps" VALUES('20261121-1-uploads',0,'import_model','',0.0,0,'','',0.0,0.0,'','','[]');
INSERT INTO "steps" VALUES('20261121-1-uploads',1,'decimate','',0.0,0,'','',0.0,0.0,'','','[]');
INSERT INTO "steps" VALUES('20261121-2-waits',0,'decimate','r2',1763750005.0,1,'the-running-task','decimate-model',1763750008.0,0.0,'queued','','[]');
INSERT INTO "steps" VALUES('20261121-3-asks',0,'text_to_model','r3',1763750014.0,1,'','',0.0,0.0,'','','["the-lost-task", "t-9"]');
INSERT INTO "steps" VALUES('20261121-4-ready',0,'import_model','r4-0',1763750024.5,1,'t-4-0','import-model',1763750027.5,1763750030.5,'success','0','[]');
INSERT INTO "steps" VALUES('20261121-4-ready',1,'texture','r4-1',1763750035.0,1,'t-4-1','texture-model',1763750038.0,1763750041.0,'success','10','[]');
INSERT INTO "steps" VALUES('20261121-5-failed',0,'import_model','',0.0,0,'','',0.0,0.0,'','','[]');
CREATE TABLE tasks (
        task_id TEXT NOT NULL,
        service_id TEXT NOT NULL,
        capability TEXT NOT NULL,
        task_type TEXT NOT NULL,
        answered_at REAL NOT NULL,
        PRIMARY KEY (service_id, task_id)
    ) STRICT, WITHOUT ROWID;
INSERT INTO "tasks" VALUES('t-4-0','the-service','import_model','import-model',1763750027.5);
INSERT INTO "tasks" VALUES('t-4-1','the-service','texture','texture-model',1763750038.0);
INSERT INTO "tasks" VALUES('the-running-task','the-service','decimate','decimate-model',1763750008.0);
COMMIT;
PRAGMA user_version = 2;
