"""The reference page: complete, and its examples work."""

from __future__ import annotations

import ast
import re
import shlex

import pytest
from asset_generation.addon.cli.main import build_parser
from asset_generation.addon.cli.options import given_fields
from asset_generation.addon.core.requests.build import build, files_of
from asset_generation.vendor.assetgen import contract
from asset_generation.vendor.assetgen.contract import CAPABILITIES, describe, rules_of
from generation.examples import example_fields
from generation.reference import reference
from load_extension import ROOT

PAGE = reference()
TASK = "00000000-0000-0000-0000-000000000000"
TOKEN = f"file_{TASK}"


def section(name: str) -> str:
    """The part of the page about one capability."""
    _, _, rest = PAGE.partition(f"\n### {CAPABILITIES[name].label}\n")
    return re.split(r"\n##+ ", rest, maxsplit=1)[0]


def test_the_page_is_up_to_date() -> None:
    assert (ROOT / "docs" / "reference.md").read_text(encoding="utf-8") == PAGE, "run scripts/dev.py generate"


@pytest.mark.parametrize("name", CAPABILITIES)
def test_a_capability_is_described_completely(name: str) -> None:
    request, words = CAPABILITIES[name], section(name)
    assert f"POST {request.endpoint}" in words
    for spec in describe(request):
        if not spec.source and spec.name not in ("priority", "parameters"):
            assert f"| `{spec.name}` |" in words
            assert spec.description in words
            assert all(version in words for version in spec.forbidden_by)
    for rule in rules_of(request):
        assert rule in words.replace("`", "")
    assert "None" not in words


@pytest.mark.parametrize("name", CAPABILITIES)
def test_an_example_is_a_request_that_the_declaration_takes(name: str) -> None:
    fields = example_fields(CAPABILITIES[name])
    tokens = dict.fromkeys(files_of(name, fields), TOKEN)
    build(name, fields, source_task_id=TASK, file_token=TOKEN, tokens=tokens).body()


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_command_of_an_example_gives_its_fields(name: str) -> None:
    (block,) = re.findall(r"```sh\n(.*?)\n```", section(name), re.DOTALL)
    program, *arguments = shlex.split(block)
    assert program == "assetgen"
    options = build_parser().parse_args(arguments)
    assert options.capability == name
    assert set(given_fields(options)) == set(example_fields(CAPABILITIES[name]))


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_python_of_an_example_makes_the_same_request(name: str) -> None:
    (block,) = re.findall(r"```python\n(.*?)\n```", section(name), re.DOTALL)
    operator, created = (ast.unparse(statement) for statement in ast.parse(block).body)
    assert operator.startswith(f"bpy.ops.assetgen.{name}(")
    code = created.removeprefix("client.tasks.create(").removesuffix(")")
    # All that stands for itself in an example is the token of a file, or the id of a task.
    words = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name) and node.id.islower()}
    request = eval(code, vars(contract) | {word: TASK if word == "task_id" else TOKEN for word in words})
    assert type(request) is CAPABILITIES[name]
    fields = example_fields(CAPABILITIES[name])
    tokens = dict.fromkeys(files_of(name, fields), TOKEN)
    built = build(name, fields, source_task_id=TASK, file_token=TOKEN, tokens=tokens)
    assert set(request.body()) == set(built.body())


def test_every_link_of_the_contents_leads_somewhere() -> None:
    headings = {line[4:].lower().replace(" ", "-") for line in PAGE.splitlines() if line.startswith("### ")}
    links = set(re.findall(r"\]\(#(.*?)\)", PAGE))
    assert links == headings
