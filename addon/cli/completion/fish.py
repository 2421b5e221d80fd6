"""Completion for fish: a line for each option and command, behind a function that says which command is being typed."""

from __future__ import annotations

from .commands import Argument, Command, Kind

_HEAD = """\
# fish completion for {program}; made by `{program} completion fish`.
function __{program}_command
    set -l path
    for word in (commandline -opc)[2..-1]
        set -l longer (string join -- ' ' $path $word)
        if contains -- $longer {paths}
            set path $longer
        end
    end
    test "$path" = "$argv"
end
complete -c {program} -f
"""


def fish_script(root: Command, program: str) -> str:
    """The script that is sourced, or lies in fish's folder of completions."""
    commands = list(root.walk())
    paths = " ".join(_quoted(" ".join(command.words)) for command in commands if command.words)
    lines = [_HEAD.format(program=program, paths=paths)]
    for command in commands:
        condition = f"__{program}_command {_quoted(' '.join(command.words))}"
        start = f"complete -c {program} -n {_quoted(condition)}"
        lines += [f"{start} -a {_quoted(below.words[-1])} -d {_quoted(below.summary)}" for below in command.commands]
        lines += [f"{start} {_option(option)}" for option in command.options]
        lines += [f"{start} {_value(operand)}" for operand in command.operands if operand.kind is not Kind.TEXT]
    return "\n".join([*lines, ""])


def _option(option: Argument) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    parts = [names, _value(option) if option.kind is not Kind.NOTHING else "", f"-d {_quoted(option.summary)}"]
    return " ".join(part for part in parts if part)


def _value(argument: Argument) -> str:
    required = "-r" if argument.names else ""
    match argument.kind:
        case Kind.CHOICE:
            return f"{'-x' if argument.names else ''} -a {_quoted(' '.join(argument.values))}".strip()
        case Kind.FOLDER:
            return f"{'-x' if argument.names else ''} -a '(__fish_complete_directories)'".strip()
        case Kind.FILE:
            return f"{required} -F".strip()
        case _:
            return "-x"


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
