"""The scripts for Tab, in the shells themselves: what is typed there is completed as the parser would read it."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from asset_generation.addon.cli.completion.commands import Kind, read_commands
from asset_generation.addon.cli.main import build_parser, main
from asset_generation.addon.cli.options import command_name
from asset_generation.vendor.assetgen.contract import CAPABILITIES

SHELLS = ("bash", "zsh", "fish")
PRINT = "assetgen() { printf '\\n<%s>' \"$@\"; printf '\\n%s\\n' 'the''end'; }\n"
START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], f"bind 'set enable-bracketed-paste off'; {PRINT}"),
    "zsh": (["zsh", "-f", "-i"], f"unsetopt zle_bracketed_paste; autoload -Uz compinit && compinit -u -D; {PRINT}"),
}
LINES = {
    "assetgen deci\t": ["decimate"],
    "assetgen jobs ag\t": ["jobs", "again"],
    "assetgen jobs again --varia\t": ["jobs", "again", "--variants"],
    "assetgen texture --texture-qua\tdet\t": ["texture", "--texture-quality", "detailed"],
    "assetgen text-to-image --prompt convert --output-fo\tj\t": [
        "text-to-image", "--prompt", "convert", "--output-format", "jpeg"
    ],
    "assetgen text-to-image --aspect-ratio 16:\t": ["text-to-image", "--aspect-ratio", "16:9"],
    "assetgen decimate --out fol\t": ["decimate", "--out", "folder/"],
    "assetgen decimate a\t": ["decimate", "a chair.glb"],
    "assetgen completion fi\t": ["completion", "fish"],
}  # fmt: skip


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name} here")
    return name


@pytest.fixture
def script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["completion", shell]) == 0
    path = tmp_path / f"completion.{shell}"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    return path


def test_the_shell_can_read_it(shell: str, script: Path) -> None:
    done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_tab_completes_in_the_shell(shell: str, script: Path, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    (folder / "folder").mkdir(parents=True)
    (folder / "a chair.glb").touch()
    if shell == "fish":
        for line, words in LINES.items():
            typed = line.removesuffix("\t").rpartition("\t")[2] if "\t" in line[:-1] else line.removesuffix("\t")
            if typed != line.removesuffix("\t"):  # fish is asked for one word; the one before is typed out
                typed = "assetgen " + " ".join([*words[:-1], line.removesuffix("\t").rpartition("\t")[2]])
            done = subprocess.run(
                ["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", str(script), typed],
                cwd=folder, capture_output=True, text=True, check=False, timeout=60,
            )  # fmt: skip
            offered = [one.partition("\t")[0].replace("\\ ", " ") for one in done.stdout.splitlines()]
            assert words[-1] in offered, (line, offered, done.stderr)
        return
    command, setup = START[shell]
    with Terminal(command, folder) as terminal:
        terminal.send(f"{setup}source {script}\nassetgen ready\n")
        assert terminal.words() == ["ready"]
        for line, words in LINES.items():
            terminal.send(f"{line}\n")
            # zsh takes the slash off again when the line is sent.
            assert [word.rstrip("/") for word in terminal.words()] == [word.rstrip("/") for word in words], line


class Terminal:
    """An interactive shell, which takes keys as a person presses them."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._pid, self._file = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", PS1="$ ", HISTFILE="", HOME=str(folder.parent))
            os.execvp(command[0], command)
        self._heard = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)  # hangs up
        os.waitpid(self._pid, 0)

    def send(self, keys: str) -> None:
        self._heard = ""
        for part in keys.replace("\t", "\t\0").split("\0"):
            os.write(self._file, part.encode())
            if part.endswith("\t"):
                self._listen(0.3)  # as a person would: what follows belongs to the completed line

    def words(self) -> list[str]:
        """What the command was called with."""
        deadline = time.monotonic() + 60
        while "theend" not in self._heard:
            assert time.monotonic() < deadline, self._heard
            self._listen(0.1)
        lines = self._heard.partition("theend")[0].replace("\r", "").split("\n")
        return [line[1:-1] for line in lines if line.startswith("<") and line.endswith(">")]

    def _listen(self, seconds: float) -> None:
        while select.select([self._file], [], [], seconds)[0]:
            self._heard += os.read(self._file, 65536).decode(errors="replace")


def test_it_has_every_command_and_every_option_of_the_parser() -> None:
    parser = build_parser()
    root = read_commands(parser)
    commands = {" ".join(command.words): command for command in root.walk()}
    assert {command_name(model) for model in CAPABILITIES.values()} < set(commands)
    for command in commands.values():
        assert command.summary or not command.words, command.words
    leaves = [command for command in root.walk() if not command.commands]
    assert len(leaves) == len(list(parser.leaves()))
    for command, leaf in zip(leaves, parser.leaves(), strict=True):
        assert {name for option in command.options for name in option.names} == set(leaf._option_string_actions)


def test_what_follows_an_option_is_known_from_its_declaration() -> None:
    commands = {" ".join(command.words): command for command in read_commands(build_parser()).walk()}
    options = {name: option for option in commands["convert"].options for name in option.names}
    assert options["--format"].kind is Kind.CHOICE and "USDZ" in options["--format"].values
    assert options["--out"].kind is Kind.FOLDER
    assert options["--log"].kind is Kind.FILE
    assert options["--texture-size"].kind is Kind.TEXT
    assert options["--bake"].kind is Kind.NOTHING
    (model,) = commands["convert"].operands
    assert model.kind is Kind.FILE
