"""How the cores that the local engine may take are shared out."""

from __future__ import annotations

import pytest
from asset_generation.vendor.assetgen_local import Options
from asset_generation.vendor.assetgen_local.options import default_workers


@pytest.mark.parametrize(("cores", "workers", "each"), [(1, 1, 1), (3, 1, 3), (4, 2, 2), (2, 4, 1), (0, 2, 0)])
def test_workers_share_the_cores(cores: int, workers: int, each: int) -> None:
    command = Options(cores=cores, workers=workers).worker_blender
    assert (command.cores, command.shared_cores) == (each, cores)


def test_half_of_the_cores_are_workers() -> None:
    assert [default_workers(cores) for cores in (1, 2, 7)] == [1, 1, 3]
