"""How a client finds the daemon."""

from __future__ import annotations

import shutil
import subprocess
import sys
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


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_a_daemon_with_a_certificate_is_spoken_to_by_tls(tmp_path: Path) -> None:
    make = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*make.split(), *names], cwd=tmp_path, check=True, capture_output=True)
    place = Place(tmp_path / "place")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    place.configure("crosshook/config.toml", f'[daemon]\ntls_cert = "{cert}"\ntls_key = "{key}"\n')
    place.start()
    program = "from crosshook import CrosshookClient; print(CrosshookClient().fire('before_tool').result().decision)"
    try:
        source = str(Path(__file__).resolve().parents[1] / "src")
        more = {"GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": str(cert), "PYTHONPATH": f"{source}:{':'.join(sys.path)}"}
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env={**place.env, **more}, capture_output=True, text=True, timeout=30)
        assert (done.stdout, done.returncode) == ("allow\n", 0), done.stderr
    finally:
        place.stop()
