"""How a client finds the daemon."""

from __future__ import annotations

from pathlib import Path

import pytest
from place import Place

from crosshook import CrosshookClient, CrosshookError
from crosshook.discovery import Target, find_daemon


def test_the_running_daemon_of_the_user_is_found(daemon: Place) -> None:
    assert find_daemon(None, None, daemon.env) == Target(daemon.status["grpc"], daemon.token.strip())


def test_the_environment_comes_before_the_running_daemon_and_arguments_before_both(daemon: Place) -> None:
    env = {**daemon.env, "CROSSHOOK_GRPC": "127.0.0.1:1", "CROSSHOOK_TOKEN": "secret\n"}
    assert find_daemon(None, None, env) == Target("127.0.0.1:1", "secret")
    assert find_daemon("127.0.0.1:2", "other", env) == Target("127.0.0.1:2", "other")
    assert find_daemon("127.0.0.1:2", None, daemon.env) == Target("127.0.0.1:2", daemon.token.strip())


def test_a_client_without_arguments_works(daemon: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", daemon.env["XDG_STATE_HOME"])
    with CrosshookClient() as client:
        assert client.list_hooks() == []


def test_no_daemon_is_said_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with pytest.raises(CrosshookError, match="crosshook daemon start") as missing:
        CrosshookClient().start()
    assert missing.value.code == "no_daemon"
    with pytest.raises(CrosshookError, match="cannot be reached"):
        CrosshookClient("127.0.0.1:1", "token").start()


def test_a_daemon_that_was_killed_is_sent_no_token(own_daemon: Place) -> None:
    own_daemon.kill()
    with pytest.raises(CrosshookError, match="killed"):
        while find_daemon(None, None, own_daemon.env):
            pass


def test_a_client_that_found_no_daemon_finds_it_later(own_daemon: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", own_daemon.env["XDG_STATE_HOME"])
    own_daemon.stop()
    client = CrosshookClient()
    with pytest.raises(CrosshookError):
        client.start()
    own_daemon.start()
    with client:
        assert client.list_hooks() == []
