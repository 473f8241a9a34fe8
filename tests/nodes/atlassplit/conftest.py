from __future__ import annotations

from pathlib import Path

import pytest

from tests.sheets import write_workbook


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    return write_workbook(tmp_path / "sales.xlsx")
