"""The reference page: complete, and its examples work."""

from __future__ import annotations

import ast
import re
import shlex

import pytest
from asset_generation.addon.cli.main import build_parser
from asset_generation.addon.cli.options import given_fields
from asset_generation.addon.core.requests.build import build, files_of
from asset_generation.vendor.assetgen.contract import CAPABILITIES, describe, rules_of
from generation.examples import example_fields
from generation.reference import reference
from load_extension import ROOT

PAGE = reference()


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
    tokens = {path: "file_00000000-0000-0000-0000-000000000000" for path in files_of(name, fields)}
    task = "00000000-0000-0000-0000-000000000000"
    build(name, fields, source_task_id=task, file_token=tokens.get("", "file_1"), tokens=tokens).body()


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_command_of_an_example_gives_its_fields(name: str) -> None:
    (block,) = re.findall(r"```sh\n(.*?)\n```", section(name), re.DOTALL)
    program, *arguments = shlex.split(block)
    assert program == "assetgen"
    options = build_parser().parse_args(arguments)
    assert options.capability == name
    assert set(given_fields(options)) == set(example_fields(CAPABILITIES[name]))


@pytest.mark.parametrize("name", CAPABILITIES)
def test_the_python_of_an_example_is_python(name: str) -> None:
    (block,) = re.findall(r"```python\n(.*?)\n```", section(name), re.DOTALL)
    operator, client = (ast.unparse(statement) for statement in ast.parse(block).body)
    assert operator.startswith(f"bpy.ops.assetgen.{name}(")
    assert client.startswith(f"client.{CAPABILITIES[name].endpoint.split('/')[2]}.{name}(")


def test_every_link_of_the_contents_leads_somewhere() -> None:
    headings = {line[4:].lower().replace(" ", "-") for line in PAGE.splitlines() if line.startswith("### ")}
    links = set(re.findall(r"\]\(#(.*?)\)", PAGE))
    assert links == headings
