// What a job compiler script of Flamenco is given, as far as its documentation tells: no Flamenco is needed to run one.
// Arguments: the script, and a job's settings as JSON. Prints the job type and the tasks as JSON.

"use strict";
const fs = require("fs");
const vm = require("vm");

const TYPES = { string: "string", int32: "number", float: "number", bool: "boolean" };
const SUBTYPES = ["", "file_path", "dir_path", "file_name", "hashed_file_path"];
const VISIBLE = ["visible", "hidden", "submission", "web"];

function refuse(words) {
    throw new Error(words);
}

class Command {
    constructor(name, parameters) {
        if (name !== "exec") refuse(`the stub knows no command ${name}`);
        if (typeof parameters.exe !== "string" || !parameters.exe) refuse("exec needs exe");
        if (!parameters.args.every((word) => typeof word === "string")) refuse("args are texts");
        Object.assign(this, { name, parameters });
    }
}

class Task {
    constructor(name, type) {
        Object.assign(this, { name, type, commands: [], dependencies: [] });
    }
    addCommand(command) {
        if (!(command instanceof Command)) refuse("this is no command");
        this.commands.push(command);
    }
    addDependency(task) {
        this.dependencies.push(task.name);
    }
}

function defaultsOf(jobType, given) {
    const settings = {};
    for (const one of jobType.settings) {
        if (!(one.type in TYPES)) refuse(`${one.key} has an unknown type ${one.type}`);
        if (!SUBTYPES.includes(one.subtype || "")) refuse(`${one.key} has an unknown subtype ${one.subtype}`);
        if (!VISIBLE.includes(one.visible || "visible")) refuse(`${one.key} has an unknown visibility ${one.visible}`);
        const value = one.key in given ? given[one.key] : one.default;
        if (value === undefined && one.required) refuse(`${one.key} is missing`);
        if (value !== undefined && typeof value !== TYPES[one.type]) refuse(`${one.key} is no ${one.type}`);
        settings[one.key] = value;
    }
    for (const key of Object.keys(given)) if (!(key in settings)) refuse(`there is no setting ${key}`);
    return settings;
}

const [script, given] = process.argv.slice(2);
const author = { Task: (name, type) => new Task(name, type), Command: (name, parameters) => new Command(name, parameters) };
const world = vm.createContext({ author, print: () => {} });
vm.runInContext(`${fs.readFileSync(script, "utf-8")}\n;globalThis.found = { JOB_TYPE, compileJob };`, world);

const job = { name: "Job", type: "batch", settings: defaultsOf(world.found.JOB_TYPE, JSON.parse(given)), tasks: [] };
job.addTask = (task) => job.tasks.push(task);
world.found.compileJob(job);
console.log(JSON.stringify({ job_type: world.found.JOB_TYPE, tasks: job.tasks }));
