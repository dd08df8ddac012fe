"""Idempotent CDC set-up; the init container runs it at every start.

Topics: rows of the outbox -> kiln.outbox.<aggregate>; firings, batches and recipes -> cdc.kiln.public.<table>
as flat rows with `__op`.
"""
import asyncio
import os

import asyncpg
import httpx

ADMIN = os.environ.get("PG_ADMIN_URL", "postgresql://postgres:postgres@pg:5432/kiln")
CONNECT = os.environ.get("CONNECT_URL", "http://connect:8083")
TABLES = ["outbox", "firings", "batches", "recipes"]

CONNECTOR = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.hostname": "pg",
    "database.port": "5432",
    "database.user": "cdc",
    "database.password": "cdc",
    "database.dbname": "kiln",
    "topic.prefix": "cdc.kiln",
    "table.include.list": ",".join(f"public.{t}" for t in TABLES),
    "publication.name": "kiln_cdc",
    "publication.autocreate.mode": "disabled",
    "slot.name": "kiln_cdc",
    "decimal.handling.mode": "string",
    "predicates": "rowsOfOutbox",
    "predicates.rowsOfOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.rowsOfOutbox.pattern": "cdc\\.kiln\\.public\\.outbox",
    "transforms": "outbox,flat",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.predicate": "rowsOfOutbox",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.fields.additional.placement": "tenant_id:header,type:header",
    "transforms.outbox.route.by.field": "aggregate",
    "transforms.outbox.route.topic.replacement": "kiln.outbox.${routedByValue}",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.flat.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.flat.predicate": "rowsOfOutbox",
    "transforms.flat.negate": "true",
    "transforms.flat.add.fields": "op",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}


async def database() -> None:
    c = await asyncpg.connect(ADMIN)
    try:
        if not await c.fetchval("select 1 from pg_roles where rolname = 'cdc'"):
            await c.execute("create role cdc login replication bypassrls password 'cdc'")
        names = ", ".join(TABLES)
        await c.execute(f"grant select on {names} to cdc")
        if await c.fetchval("select 1 from pg_publication where pubname = 'kiln_cdc'"):
            await c.execute(f"alter publication kiln_cdc set table {names}")
        else:
            await c.execute(f"create publication kiln_cdc for table {names}")
    finally:
        await c.close()


async def connect() -> None:
    async with httpx.AsyncClient(base_url=CONNECT, timeout=20) as http:
        r = await http.put("/connectors/kiln-cdc/config", json=CONNECTOR)
        r.raise_for_status()


async def main() -> None:
    await database()
    await connect()


if __name__ == "__main__":
    asyncio.run(main())
