"""What cannot work is refused before anything is asked or changed."""

import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app

NO_SNAPSHOT = "http://127.0.0.1:1"
SCHEMA = "service: shop\ndatabase: {dialect: postgres}\nevents: [{type: A, aggregate: B}]\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("OUTBOX_KIT_")]:
        monkeypatch.delenv(name)
    Path("outbox.yaml").write_text(SCHEMA)

    def typed(*words: str, **env: str) -> tuple[int, str]:
        done = CliRunner(env=env).invoke(app, words)
        return done.exit_code, done.output

    return typed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("deploy-connector", "--yes", "--probe", "--connect", NO_SNAPSHOT), "needs the database; nothing was changed"),
        (
            ("remove", "--drop-slot", "--allow-destructive", "--connect", NO_SNAPSHOT),
            "needs the database; nothing was changed",
        ),
        (("check", "--target-version", "3.x"), "expected a release such as 3.6"),
        (("check", "--target-version", "abc"), "expected a release such as 3.6"),
    ],
)
def test_what_cannot_work_is_refused_before_anybody_is_asked(run: Any, words: tuple[str, ...], said: str) -> None:
    code, output = run(*words)
    assert (code, said in output) == (2, True), output


def test_an_address_with_a_password_is_no_host(run: Any) -> None:
    code, output = run("init", "e", "--service", "s", "--host", "postgres://me:hunter4242@db/shop", "-e", "A:B")
    assert (code, "hunter" in output, Path("e").exists()) == (2, False, False), output
    Path("outbox.yaml").write_text(SCHEMA.replace("postgres}", 'postgres, host: "me:hunter4242@db"}'))
    code, output = run("gen-connector")
    assert (code, "host" in output, "hunter" in output) == (2, True, False), output


@pytest.mark.parametrize("dsn", ["mysql://me:hunter4242@db/shop", "me:hunter4242@db/shop"])
def test_an_address_that_init_cannot_use_is_said_to_be_left_out(run: Any, dsn: str) -> None:
    code, output = run("init", "e", "--service", "s", "-e", "A:B", OUTBOX_KIT_DSN=dsn)
    assert (code, "OUTBOX_KIT_DSN was not used" in output, "hunter" in output) == (0, True, False), output


def test_a_follower_takes_no_folder_of_other_things(run: Any) -> None:
    Path("state").mkdir()
    Path("state/shard.json").write_text("{}")
    words = ("verify", "follow", "--windows", "1", "--state", "state", "--bootstrap", "127.0.0.1:1", "--no-table")
    code, output = run(*words)
    assert (code, "the folder contains another file: 'shard.json'" in output) == (2, True), output
    assert sorted(one.name for one in Path("state").iterdir()) == ["shard.json"]
