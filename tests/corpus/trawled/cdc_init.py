"""CDC for the workflow store. Run on every `up --profile data`; safe to repeat.

1. Postgres (superuser): the CDC role, the publication for the captured tables.
2. Kafka Connect: PUT of the `fern-cdc` connector.

Topics: outbox rows -> fern.outbox.<aggregate> (router, key aggregate_id, headers tenant_id and type);
incidents, steps, runs -> cdc.fern.public.<table> as plain rows with `__op`."""

import asyncio
import os

import asyncpg
import httpx

PG = os.environ.get("PG_ADMIN_URL", "postgresql://postgres:postgres@postgres:5432/fern")
CONNECT = os.environ.get("CONNECT_URL", "http://connect:8083")
TABLES = ["outbox", "incidents", "steps", "runs"]

CONNECTOR = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "fern_cdc",
    "database.password": "fern_cdc",
    "database.dbname": "fern",
    "topic.prefix": "cdc.fern",
    "table.include.list": ",".join(f"public.{t}" for t in TABLES),
    "publication.name": "fern_cdc",
    "publication.autocreate.mode": "disabled",
    "slot.name": "fern_cdc",
    "decimal.handling.mode": "string",
    "predicates": "isOutbox",
    "predicates.isOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.isOutbox.pattern": "cdc\\.fern\\.public\\.outbox",
    "transforms": "outbox,unwrap",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.predicate": "isOutbox",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.fields.additional.placement": "tenant_id:header,type:header",
    "transforms.outbox.route.by.field": "aggregate",
    "transforms.outbox.route.topic.replacement": "fern.outbox.${routedByValue}",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.predicate": "isOutbox",
    "transforms.unwrap.negate": "true",
    "transforms.unwrap.drop.tombstones": "true",
    "transforms.unwrap.add.fields": "op",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}


async def postgres() -> None:
    c = await asyncpg.connect(PG)
    try:
        if not await c.fetchval("select 1 from pg_roles where rolname = 'fern_cdc'"):
            await c.execute("create role fern_cdc login replication bypassrls password 'fern_cdc'")
        tables = ", ".join(TABLES)
        await c.execute(f"grant select on {tables} to fern_cdc")
        if await c.fetchval("select 1 from pg_publication where pubname = 'fern_cdc'"):
            await c.execute(f"alter publication fern_cdc set table {tables}")
        else:
            await c.execute(f"create publication fern_cdc for table {tables}")
    finally:
        await c.close()


async def connect() -> None:
    async with httpx.AsyncClient(base_url=CONNECT, timeout=30) as h:
        r = await h.put("/connectors/fern-cdc/config", json=CONNECTOR)
        r.raise_for_status()


async def main() -> None:
    await postgres()
    await connect()


if __name__ == "__main__":
    asyncio.run(main())
