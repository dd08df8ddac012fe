"""Sets up CDC; may be run again at every start.

Topics: rows of the outbox go to atlas.outbox.<aggregate> (event router); rows of runs, steps and incidents go to
cdc.atlas.public.<table> as plain rows with `__op`.
"""

import asyncio
import os

import asyncpg
import httpx

ADMIN = os.environ.get("PG_ADMIN_URL", "postgresql://postgres:postgres@postgres:5432/atlas")
CONNECT = os.environ.get("CONNECT_URL", "http://connect:8083")
TABLES = ["outbox", "incidents", "steps", "runs"]

CONNECTOR = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "atlas_cdc",
    "database.password": "atlas_cdc",
    "database.dbname": "atlas",
    "topic.prefix": "cdc.atlas",
    "table.include.list": ",".join(f"public.{t}" for t in TABLES),
    "publication.name": "atlas_cdc",
    "publication.autocreate.mode": "disabled",
    "slot.name": "atlas_cdc",
    "decimal.handling.mode": "string",
    "predicates": "fromOutbox",
    "predicates.fromOutbox.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.fromOutbox.pattern": "cdc\\.atlas\\.public\\.outbox",
    "transforms": "outbox,unwrap",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.predicate": "fromOutbox",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.fields.additional.placement": "org_id:header,type:header",
    "transforms.outbox.route.by.field": "aggregate",
    "transforms.outbox.route.topic.replacement": "atlas.outbox.${routedByValue}",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.predicate": "fromOutbox",
    "transforms.unwrap.negate": "true",
    "transforms.unwrap.drop.tombstones": "true",
    "transforms.unwrap.add.fields": "op",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}


async def publication() -> None:
    c = await asyncpg.connect(ADMIN)
    try:
        tables = ", ".join(TABLES)
        if await c.fetchval("select 1 from pg_publication where pubname = 'atlas_cdc'"):
            await c.execute(f"alter publication atlas_cdc set table {tables}")
        else:
            await c.execute(f"create publication atlas_cdc for table {tables}")
    finally:
        await c.close()


async def main() -> None:
    await publication()
    async with httpx.AsyncClient(base_url=CONNECT, timeout=30) as h:
        r = await h.put("/connectors/atlas-cdc/config", json=CONNECTOR)
        r.raise_for_status()


if __name__ == "__main__":
    asyncio.run(main())
