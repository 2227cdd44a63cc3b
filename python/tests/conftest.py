from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from house_rules import FILES
from place import Place


@pytest.fixture(scope="session")
def _shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    place = Place(tmp_path_factory.mktemp("shared"))
    place.configure("crosshook/config.toml", "[daemon]\nexecute_tool = true\n")
    place.start()
    yield place
    place.stop()


@pytest.fixture
def daemon(_shared: Place) -> Iterator[Place]:
    """One that all tests share; the clients of each are closed after it."""
    yield _shared
    _shared.close()


@pytest.fixture
def own_daemon(tmp_path: Path) -> Iterator[Place]:
    """One that a test may kill."""
    place = Place(tmp_path)
    place.start()
    yield place
    place.close()
    with contextlib.suppress(ProcessLookupError):
        place.kill()


@pytest.fixture(scope="session")
def _ruled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    place = Place(tmp_path_factory.mktemp("ruled"))
    for name, text in FILES.items():
        place.configure(f"agents/hooks/{name}/HOOK.md", text)
    place.start()
    yield place
    place.stop()


@pytest.fixture
def rules(_ruled: Place) -> Iterator[Place]:
    """One with the files of house_rules."""
    yield _ruled
    _ruled.close()
