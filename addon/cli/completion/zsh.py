"""Completion for zsh: a function for each command, which hands over to the one below it."""

from __future__ import annotations

from .commands import Argument, Command, Kind

_ACTIONS = {Kind.FOLDER: "_files -/", Kind.FILE: "_files", Kind.TEXT: "( )"}


def zsh_script(root: Command, program: str) -> str:
    """The script that is sourced, or lies as ``_program`` in a folder of ``fpath``."""
    functions = [(_group if command.commands else _leaf)(command, _name(command, program)) for command in root.walk()]
    return "\n".join(
        [
            f"#compdef {program}",
            f"# zsh completion for {program}; made by `{program} completion zsh`.",
            *functions,
            # Sourced it is registered; as an autoloaded file it is the function's body.
            f'if [[ "${{funcstack[1]-}}" == "_{program}" ]]; then',
            f'    _{program} "$@"',
            "else",
            f"    compdef _{program} {program}",
            "fi",
            "",
        ]
    )


def _group(command: Command, name: str) -> str:
    offered = "\n".join(
        f"            {_quoted(f'{_plain(below.words[-1])}:{_plain(below.summary)}')}" for below in command.commands
    )
    cases = "\n".join(
        f"            {below.words[-1]}) {name}_{_part(below.words[-1])} ;;" for below in command.commands
    )
    options = " ".join(_specs(option) for option in command.options)
    return f"""\
{name}() {{
    local curcontext="$curcontext" state line
    local -a commands
    _arguments -C {options} '1: :->command' '*:: :->rest'
    case $state in
        command)
            commands=(
{offered}
            )
            _describe command commands
            ;;
        rest)
            case $line[1] in
{cases}
            esac
            ;;
    esac
}}"""


def _leaf(command: Command, name: str) -> str:
    specs = [_specs(argument) for argument in command.options]
    for number, operand in enumerate(command.operands, 1):
        place = "*" if operand.takes_several else str(number)
        specs.append(_quoted(f"{place}:{_plain(operand.summary)}:{_action(operand)}"))
    lines = " \\\n        ".join(specs)
    return f"{name}() {{\n    _arguments -s \\\n        {lines}\n}}"


def _specs(option: Argument) -> str:
    """An option as ``_arguments`` takes it, once for each of its names; each may be repeated."""
    value = "" if option.kind is Kind.NOTHING else f":value:{_action(option)}"
    return " ".join(_quoted(f"*{name}[{_plain(option.summary)}]{value}") for name in option.names)


def _action(argument: Argument) -> str:
    if argument.kind is Kind.CHOICE:
        return f"({' '.join(value.replace(':', chr(92) + ':') for value in argument.values)})"
    return _ACTIONS[argument.kind]


def _name(command: Command, program: str) -> str:
    return "_".join(["", program, *map(_part, command.words)])


def _part(word: str) -> str:
    return word.replace("-", "_")


def _plain(text: str) -> str:
    """A description without what ``_arguments`` and ``_describe`` would read."""
    for character in "\\:[]":
        text = text.replace(character, f"\\{character}")
    return text


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
