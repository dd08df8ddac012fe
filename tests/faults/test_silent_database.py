"""A database that takes connections and says nothing: --timeout holds for every command that asks it."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from outbox_kit import deadline
from outbox_kit.cli import app
from tests.support.silent import silent

DSN = {
    "postgres": "postgresql://me@127.0.0.1:{port}/shop?sslmode=disable",
    "mysql": "mysql://me@127.0.0.1:{port}/shop",
    "sqlserver": "sqlserver://me@127.0.0.1:{port}/shop",
    "oracle": "oracle://me@127.0.0.1:{port}/shop",
    "mongodb": "mongodb://127.0.0.1:{port}/shop?directConnection=true",
}
PASSWORDS = {"MYSQL_PWD": "p", "SQLCMDPASSWORD": "p", "ORACLE_PASSWORD": "p"}
ROWS = ("postgres", "mysql")  # of which one row can be asked for
COMMANDS = {
    "gen-ddl": ("gen-ddl", "--apply"),
    "adopt": ("adopt",),
    "preview": ("preview", "--row", "7"),
    "status": ("status", "--connect", "http://127.0.0.1:{port}"),
    "doctor": ("doctor",),
}


@pytest.mark.timeout(60)  # the usual patience with a database is longer
@pytest.mark.parametrize(
    ("dialect", "command"),
    [*((dialect, command) for dialect in DSN for command in ("gen-ddl", "adopt")), *((one, "status") for one in ROWS)]
    + [(one, "preview") for one in ROWS]
    + [(one, "doctor") for one in ROWS],
)
def test_a_database_that_says_nothing_is_left_in_time(
    dialect: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(deadline, "GRACE_SECONDS", 0.2)
    Path("outbox.yaml").write_text(
        f"service: shop\ndatabase: {{dialect: {dialect}, name: shop}}\nevents: [{{type: A, aggregate: B}}]\n"
    )
    with silent() as port:
        words = [word.format(port=port) for word in COMMANDS[command]]
        environment = {**PASSWORDS, "OUTBOX_KIT_DSN": DSN[dialect].format(port=port)}
        done = CliRunner(env=environment).invoke(app, [*words, "--timeout", "1"])
    assert done.exit_code == (3 if command == "doctor" else 4), done.output
    assert any(words in done.output for words in ("no connection", "time is up", "no answer within"))
