"""Debezium for the data profile. Safe to run on each start.

1. As the superuser: a role for capture (REPLICATION, BYPASSRLS, so that a snapshot sees the rows of every
   tenant) and the publication of the captured tables.
2. PUT the connector.

Outbox rows go to lumen.outbox.<aggregate>; faults, steps and jobs go to cdc.lumen.public.<table> as flat rows
with `__op`."""

import asyncio
import os

import asyncpg
import httpx

PG = os.environ.get("PG_ADMIN_URL", "postgresql://localhost:5432/lumen")
CONNECT = os.environ.get("CONNECT_URL", "http://connect:8083")
TABLES = ["outbox", "faults", "steps", "jobs"]

CONNECTOR = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "lumen_cdc",
    "database.password": "lumen_cdc",
    "database.dbname": "lumen",
    "topic.prefix": "cdc.lumen",
    "plugin.name": "pgoutput",
    "slot.name": "lumen_cdc",
    "publication.name": "lumen_cdc",
    "publication.autocreate.mode": "disabled",
    "table.include.list": "public.outbox,public.faults,public.steps,public.jobs",
    "decimal.handling.mode": "string",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "predicates": "isOutbox",
    "predicates.isOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.isOutbox.pattern": "cdc\\.lumen\\.public\\.outbox",
    "transforms": "outbox,unwrap",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.predicate": "isOutbox",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.fields.additional.placement": "tenant_id:header,type:header",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.outbox.route.by.field": "aggregate",
    "transforms.outbox.route.topic.replacement": "lumen.outbox.${routedByValue}",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.predicate": "isOutbox",
    "transforms.unwrap.negate": "true",
    "transforms.unwrap.drop.tombstones": "true",
    "transforms.unwrap.add.fields": "op",
}


async def database() -> None:
    c = await asyncpg.connect(PG)
    try:
        tables = ", ".join(TABLES)
        if not await c.fetchval("select 1 from pg_roles where rolname = 'lumen_cdc'"):
            await c.execute("create role lumen_cdc login replication bypassrls password 'lumen_cdc'")
        await c.execute(f"grant select on {tables} to lumen_cdc")
        if await c.fetchval("select 1 from pg_publication where pubname = 'lumen_cdc'"):
            await c.execute(f"alter publication lumen_cdc set table {tables}")
        else:
            await c.execute(f"create publication lumen_cdc for table {tables}")
    finally:
        await c.close()


async def register() -> None:
    async with httpx.AsyncClient(base_url=CONNECT, timeout=30) as h:
        r = await h.put("/connectors/lumen-cdc/config", json=CONNECTOR)
        r.raise_for_status()
        print("lumen-cdc", "created" if r.status_code == 201 else "updated", flush=True)


async def main() -> None:
    await database()
    await register()


if __name__ == "__main__":
    asyncio.run(main())
