"""A starter names the database that the environment names, where no flag says otherwise."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.schema.read import read

INIT = ("init", "--service", "shop", "-e", "OrderPlaced:Order")


@pytest.mark.parametrize(
    ("dsn", "flags", "address"),
    [
        ("host=db.internal port=6432 dbname=orders", (), ("db.internal", 6432, "orders")),
        ("postgresql://me@db/orders", (), ("db", 5432, "orders")),
        ("host=db dbname=orders", ("--database", "other", "--host", "there"), ("there", 5432, "other")),
        ("", (), ("localhost", 5432, "shop")),
        ("no connection string", (), ("localhost", 5432, "shop")),
    ],
)
def test_where_the_database_is(
    dsn: str, flags: tuple[str, ...], address: tuple[str, int, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner(env={"OUTBOX_KIT_DSN": dsn}).invoke(app, [*INIT, *flags])
    assert result.exit_code == 0, result.output
    database = read(tmp_path / "outbox.yaml").outbox(None).database
    assert (database.host, database.port, database.name) == address
