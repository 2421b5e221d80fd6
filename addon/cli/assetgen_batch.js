// SPDX-License-Identifier: GPL-3.0-or-later

// A batch of assetgen as a job type of Flamenco: every task works off a range of rows of the table.
// Put this file into the folder "scripts" beside flamenco-manager and start the Manager anew.
// Workers find the service by their environment: ASSETGEN_BASE_URL, ASSETGEN_REGION, ASSETGEN_API_KEY.

const JOB_TYPE = {
    label: "Asset Generation Batch",
    settings: [
        { key: "table", type: "string", subtype: "file_path", required: true,
          description: "The table of rows (.csv or .jsonl), where all workers find it" },
        { key: "results", type: "string", subtype: "dir_path", required: true,
          description: "Where results go: a folder that all workers share" },
        { key: "rows", type: "int32", required: true, default: 100,
          description: "How many rows the table has; assetgen batch --dry-run counts them" },
        { key: "rows_per_task", type: "int32", default: 50, description: "How many rows one task works off" },
        { key: "max_failures", type: "int32", default: 0,
          description: "Failed rows after which a task stops; 0 for no limit" },
        { key: "max_credits", type: "int32", default: 0, description: "What a task may cost at most; 0 for no limit" },
        { key: "program", type: "string", default: "{blender}", visible: "submission",
          description: "What a worker starts" },
        { key: "arguments", type: "string", default: "--command assetgen", visible: "submission",
          description: "Its first arguments, with blanks between them; one that has blanks itself in double quotes" },
    ],
};

function compileJob(job) {
    const settings = job.settings;
    if (settings.rows < 1) throw new Error("The table needs one row at least");
    const length = Math.max(1, settings.rows_per_task);
    for (let first = 1; first <= settings.rows; first += length) {
        const range = `${first}-${Math.min(settings.rows, first + length - 1)}`;
        const task = author.Task(`rows ${range}`, "blender");
        task.addCommand(author.Command("exec", { exe: settings.program, args: batchArguments(settings, range) }));
        job.addTask(task);
    }
}

function batchArguments(settings, range) {
    const words = (settings.arguments.match(/"[^"]*"|[^\s"]+/g) || []).map((word) => word.replace(/^"|"$/g, ""));
    words.push("batch", settings.table, "--out", settings.results, "--rows", range);
    if (settings.max_failures > 0) words.push("--max-failures", String(settings.max_failures));
    if (settings.max_credits > 0) words.push("--max-credits", String(settings.max_credits));
    return words;
}
