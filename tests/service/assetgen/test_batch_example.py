"""scripts/examples/batch_with_client.py, as a program against a running engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from asset_generation.vendor.assetgen.contract import Category
from load_extension import ROOT
from support.services.local_engine import KEY, add_fault, local_engine, recorded, tiny_glb

SCRIPT = ROOT / "scripts" / "examples" / "batch_with_client.py"
CREATE = "/v3/generation/text-to-model"


def run(service: Any, *arguments: Path) -> tuple[int, str, str]:
    environment = {**os.environ, "ASSETGEN_BASE_URL": service.base_url, "ASSETGEN_API_KEY": KEY}
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def test_every_line_becomes_a_model_and_a_second_run_makes_what_is_missing(tmp_path: Path) -> None:
    prompts, out = tmp_path / "prompts.txt", tmp_path / "out"
    prompts.write_text("a chair\n\na table\na lamp\n", encoding="utf-8")
    with local_engine(tmp_path, pools={Category.GENERATION_H: 2}) as service:
        add_fault(service, "task", path=CREATE, status="failed", error_code=2008, error_message="not allowed", skip=1)
        code, told, errors = run(service, prompts, out)
        assert code == 1, told + errors
        assert errors == "002: not allowed\n"
        assert sorted(path.name for path in out.iterdir()) == ["000.glb", "003.glb"]
        code, told, errors = run(service, prompts, out)
        assert (code, errors) == (0, "")
        assert sorted(path.name for path in out.iterdir()) == ["000.glb", "002.glb", "003.glb"]
        assert {path.read_bytes() for path in out.iterdir()} == {tiny_glb()}
        created = [one for one in recorded(service, CREATE, "POST") if one["status"] == 200]
        assert len(created) == 4, "what was there already was not made again"
