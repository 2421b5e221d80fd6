"""Completion for bash: one function, with a case for each command and for each option that takes a value."""

from __future__ import annotations

import shlex

from .commands import Argument, Command, Kind

_FUNCTION = """\
# bash completion for {program}; made by `{program} completion bash`.
_{name}_folders() {{
    local IFS=$'\\n'
    compopt -o filenames
    COMPREPLY=($(compgen -d -- "$1"))
}}
_{name}() {{
    local line=${{COMP_LINE:0:COMP_POINT}} command="" word previous="" current options="" values=""
    # The words as they were typed: bash itself would take them apart at colons and equals signs.
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    local last=$((${{#words[@]}} - 1))
    current=${{words[last]-}}
    local i
    for ((i = 1; i < last; i++)); do
        word=${{words[i]}}
        case "${{command:+$command }}$word" in
            {paths}) command="${{command:+$command }}$word" ;;
        esac
        previous=$word
    done
    local typed=$current
    if [[ $current == --*=* ]]; then
        previous=${{current%%=*}} typed=${{current#*=}}
    fi
    case "$command:$previous" in
{arguments}
        *)
            case "$command" in
{commands}
            esac
            if [[ $current != -* && -z $values ]]; then return; fi
            [[ $current == -* ]] && values=$options
            ;;
    esac
    COMPREPLY=($(compgen -W "$values" -- "$typed"))
    # bash replaces no more than what follows the last colon or equals sign.
    local kept=""
    [[ $COMP_WORDBREAKS == *:* && $typed == *:* ]] && kept=${{typed%"${{typed##*:}}"}}
    COMPREPLY=("${{COMPREPLY[@]#"$kept"}}")
}}
complete -o default -F _{name} {program}
"""


def bash_script(root: Command, program: str) -> str:
    """The script that is sourced."""
    commands = list(root.walk())
    paths = "|".join(_quoted(" ".join(command.words)) for command in commands if command.words)
    name = program.replace("-", "_")
    return _FUNCTION.format(
        program=program,
        name=name,
        paths=paths,
        arguments="\n".join(case for command in commands for case in _arguments(command, name)),
        commands="\n".join(_command(command) for command in commands),
    )


def _arguments(command: Command, name: str) -> list[str]:
    """What follows an option, unless it is a file: that is what bash offers by itself."""
    cases = []
    for option in command.options:
        patterns = "|".join(_quoted(f"{' '.join(command.words)}:{option_name}") for option_name in option.names)
        if option.kind is Kind.CHOICE:
            cases.append(f"        {patterns}) values={_quoted(' '.join(option.values))} ;;")
        elif option.kind is Kind.FOLDER:
            cases.append(f'        {patterns}) _{name}_folders "$typed"; return ;;')
        elif option.kind is Kind.FILE:
            cases.append(f"        {patterns}) return ;;")
        elif option.kind is Kind.TEXT:
            cases.append(f"        {patterns}) compopt +o default; return ;;")
    return cases


def _command(command: Command) -> str:
    names = [name for option in command.options for name in option.names]
    offered = [below.words[-1] for below in command.commands] + [
        value for operand in command.operands for value in operand.values
    ]
    parts = [f"options={_quoted(' '.join(names))}"]
    if offered:
        parts.append(f"values={_quoted(' '.join(offered))}")
    elif not _takes_files(command.operands):
        parts.append("compopt +o default")
    return f"                {_quoted(' '.join(command.words))}) {'; '.join(parts)} ;;"


def _takes_files(operands: tuple[Argument, ...]) -> bool:
    return any(operand.kind in (Kind.FILE, Kind.FOLDER) for operand in operands)


def _quoted(text: str) -> str:
    return shlex.quote(text) if text else '""'
