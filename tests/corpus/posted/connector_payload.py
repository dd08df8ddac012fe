"""Builds the body that is posted to Kafka Connect when the member service starts."""
import httpx

from src.core.config import load_settings


async def build_payload(cfg):
    return {
        "name": "members-outbox",
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "tasks.max": "1",
            "database.hostname": cfg.PG_HOST,
            "database.port": cfg.PG_PORT,
            "database.user": cfg.PG_USER,
            "database.password": cfg.PG_PASSWORD,
            "database.dbname": cfg.PG_NAME,
            "database.server.name": "memberservice",
            "schema.include.list": "club",
            "table.include.list": "club.members_outbox",
            "plugin.name": "pgoutput",
            "publication.name": "dbz_publication_member",
            "tombstones.on.delete": "false",
            "topic.prefix": "memberservice",
            "slot.name": "debezium_member",

            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.route.by.field": "aggregatetype",
            "transforms.outbox.route.topic.replacement": "memberservice.${routedByValue}",

            "transforms.outbox.field.event.id": "id",
            "transforms.outbox.field.event.key": "aggregateid",
            "transforms.outbox.field.event.type": "kind",
            "transforms.outbox.field.event.payload": "payload",
            "transforms.outbox.field.event.timestamp": "created_at",
            "transforms.outbox.field.event.timestamp.type": "io.debezium.time.Timestamp",

            "transforms.outbox.expand.json.payload": "true",
            "transforms.outbox.table.fields.additional.placement": "kind:envelope:type",
        },
    }


# what arrives at the mail service:
#   topic  memberservice.member
#   key    {"schema": {"type": "string"}, "payload": "ann@example.org"}
#   value  {"schema": {...},
#           "payload": {"payload": "{\"email\": \"ann@example.org\", \"active\": null}",
#                       "type": "member_joined"}}


async def register():
    cfg = load_settings()
    async with httpx.AsyncClient() as client:
        body = await build_payload(cfg)
        answer = await client.post(f"{cfg.CONNECT_URL}/connectors", json=body)
        answer.raise_for_status()
