"""Generated code in Python, Node.js and Go writes into the real database, and its events pass on the real topic."""

import json
import sys
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.code.toolchain import go_module, run, tsc
from tests.live.conftest import Database, Kit

PAYLOAD = """
    payload:
      type: object
      required: [orderId, at, lines]
      additionalProperties: false
      properties:
        orderId: {type: string}
        at: {type: string, format: date-time}
        note: {type: [string, "null"]}
        lines: {type: array, items: {type: object, required: [sku], properties: {sku: {type: string}}}}"""
ORDER = '{orderId: "7", at: "2026-01-02T03:04:05Z", lines: [{ sku: "a" }]}'

PSYCOPG = """
import os
from datetime import UTC, datetime
import psycopg
from box import events, inbox, outbox

placed = events.OrderPlaced({"orderId": "7", "at": datetime.now(UTC), "lines": [{"sku": 'a"'}]})
with psycopg.connect(os.environ["DSN"]) as connection:
    outbox.publish(connection, "7", placed, tenant="eu")
    connection.rollback()
    sent = outbox.publish(connection, "7", placed, tenant="eu")
    connection.commit()
    assert inbox.once(connection, "me", sent, lambda: None)
    assert not inbox.once(connection, "me", sent, lambda: None)
    assert inbox.once(connection, "you", sent, lambda: None)
try:
    events.encoded(events.OrderPlaced({"orderId": "7" * 900_000, "at": datetime.now(UTC), "lines": []}))
except ValueError:
    pass
else:
    raise AssertionError("it is too large")
"""
SQLALCHEMY = """
import os
from datetime import UTC, datetime
from sqlalchemy import create_engine
from sqlalchemy.orm import Session
from box import events, inbox, outbox

engine = create_engine("postgresql+psycopg://", creator=lambda: __import__("psycopg").connect(os.environ["DSN"]))
placed = events.OrderPlaced({"orderId": "7", "at": datetime.now(UTC), "note": None, "lines": []})
with Session(engine) as session:
    outbox.publish(session, "7", placed, tenant="eu")
    session.rollback()
    sent = outbox.publish(session, "7", placed, tenant="eu")
    session.commit()
for expected in (True, False):
    with Session(engine) as session:
        assert inbox.once(session, "me", sent, lambda: None) is expected
engine.dispose()
"""
DJANGO = """
import os
from datetime import UTC, datetime
import django
from django.conf import settings
from psycopg.conninfo import conninfo_to_dict

place = conninfo_to_dict(os.environ["DSN"])
keys = {"NAME": "dbname", "HOST": "host", "PORT": "port", "USER": "user", "PASSWORD": "password"}
address = {key: place[name] for key, name in keys.items() if name in place}
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", **address}})
django.setup()
from django.db import transaction
from box import events, inbox, outbox

placed = events.OrderPlaced({"orderId": "7", "at": datetime.now(UTC), "lines": []})
try:
    outbox.publish("7", placed, tenant="eu")
except transaction.TransactionManagementError:
    with transaction.atomic():
        outbox.publish("7", placed, tenant="eu")
        transaction.set_rollback(True)
    with transaction.atomic():
        sent = outbox.publish("7", placed, tenant="eu")
    assert inbox.once("me", sent, lambda: None)
    assert not inbox.once("me", sent, lambda: None)
"""
PG = (
    """
import pg from "pg";
import { orderPlaced } from "./box/events.js";
import { once } from "./box/inbox.js";
import { publish } from "./box/outbox.js";

const pool = new pg.Pool();
const client = await pool.connect();
const placed = orderPlaced("""
    + ORDER
    + """);
await client.query("begin");
await publish(client, "7", placed, { tenant: "eu" });
await client.query("rollback");
await client.query("begin");
const sent = await publish(client, "7", placed, { tenant: "eu" });
await client.query("commit");
client.release();
const handle = async (): Promise<void> => {};
const seen = [await once(pool, "me", sent, handle), await once(pool, "me", sent, handle)];
await pool.end();
if (seen.join() !== "true,false") throw new Error(seen.join());
"""
)
PGX = """
package main

import (
	"context"
	"os"
	"time"

	"example.test/shop/box"
	"github.com/jackc/pgx/v5"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	db := must(pgx.Connect(ctx, os.Getenv("DSN")))
	defer db.Close(ctx)
	lines := []outbox.OrderPlacedLinesItem{{Sku: "a"}}
	placed := outbox.OrderPlaced{Payload: outbox.OrderPlacedPayload{OrderID: "7", At: time.Now(), Lines: lines}}
	columns := outbox.Columns{Tenant: "eu"}
	tx := must(db.Begin(ctx))
	must(outbox.Publish(ctx, tx, "7", placed, columns))
	must(0, tx.Rollback(ctx))
	tx = must(db.Begin(ctx))
	sent := must(outbox.Publish(ctx, tx, "7", placed, columns))
	must(0, tx.Commit(ctx))
	handle := func(pgx.Tx) error { return nil }
	if !must(outbox.Once(ctx, db, "me", sent, handle)) || must(outbox.Once(ctx, db, "me", sent, handle)) {
		panic("not once")
	}
}
"""


def python(program: str, folder: Path, dsn: str) -> None:
    (folder / "main.py").write_text(program)
    run(sys.executable, "main.py", folder=folder, DSN=dsn)


def node(program: str, folder: Path, dsn: str) -> None:
    (folder / "main.ts").write_text(program)
    tsc(folder)
    names = {"host": "PGHOST", "port": "PGPORT", "dbname": "PGDATABASE", "user": "PGUSER", "password": "PGPASSWORD"}
    place = {names[name]: str(value) for name, value in conninfo_to_dict(dsn).items() if name in names}
    run("node", "main.js", folder=folder, **place)


def go(program: str, folder: Path, dsn: str) -> None:
    (folder / "main.go").write_text(program)
    go_module(folder)
    run("go", "run", ".", folder=folder, DSN=dsn)


PROGRAMS = {
    "python-psycopg": (python, PSYCOPG),
    "python-sqlalchemy": (python, SQLALCHEMY),
    "python-django": (python, DJANGO),
    "node-pg": (node, PG),
    "go-pgx": (go, PGX),
}
TRACED = "table: {extra: [{name: tenant, as: tenantId}, {name: traceparent, required: false}]}\n"


@pytest.mark.parametrize("outbox", [TRACED], indirect=True)
def test_what_the_generated_code_writes_arrives_and_passes(
    database: Database, kit: Kit, outbox: str, tmp_path: Path
) -> None:
    schema = Path("outbox.yaml")
    given, text = schema.read_text(), "payload: schemas/order-placed.json"
    assert given.count(text) == 1
    schema.write_text(given.replace(f"\n    {text}", PAYLOAD))
    for target, (written, program) in PROGRAMS.items():
        folder = tmp_path / target
        kit("gen-code", target, "--out", str(folder / "box"))
        kit("gen-code", target, "--out", str(folder / "box"), "--check")
        with psycopg.connect(database.dsn, autocommit=True) as connection:
            connection.execute((folder / "box" / "inbox.sql").read_text())
        written(program, folder, database.dsn)

    verdict = json.loads(kit("verify", "--format", "json").stdout)

    assert (verdict["verdict"], verdict["findings"]) == ("pass", [])
    assert verdict["counts"]["distinct"] == verdict["counts"]["outbox_rows"] == len(PROGRAMS)
