"""`make docs`: the pages of all packaged models."""

import re
import sys
from pathlib import Path

import pytest

from linnet.nest import find, packaged

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))


def test_every_packaged_model_has_a_page_and_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import build_pages

    # The pages themselves are made in test/python/pages.
    monkeypatch.setattr(build_pages, "page_of", lambda card: card.title)
    paths = build_pages.build(tmp_path / "pages")
    names = packaged()
    assert [path.stem for path in paths] == [*names, "index"]
    index = paths[-1].read_text("utf-8")
    links = re.findall(r'<li><a href="([^"]*)">', index)
    assert [link for link in links if not link.startswith("#")] == [
        f"{name}.html" for name in names
    ]
    assert all(path.read_text("utf-8") == find(path.stem).title for path in paths[:-1])
