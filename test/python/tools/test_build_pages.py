"""`make docs`: the pages of all packaged models."""

import re
import sys
from pathlib import Path

from linnet.nest import packaged

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))


def test_every_packaged_model_has_a_page_and_is_listed(tmp_path: Path) -> None:
    from build_pages import build

    paths = build(tmp_path / "pages")
    names = packaged()
    assert [path.stem for path in paths] == [*names, "index"]
    index = paths[-1].read_text("utf-8")
    links = re.findall(r'<li><a href="([^"]*)">', index)
    assert [link for link in links if not link.startswith("#")] == [
        f"{name}.html" for name in names
    ]
    assert all(path.stat().st_size < 1_000_000 for path in paths)
