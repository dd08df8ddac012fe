async def generate_config_dict(settings):
    return {
        "name": "members-outbox-connector",
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "tasks.max": "1",
            "database.hostname": settings.DB_HOST,
            "database.port": settings.DB_PORT,
            "database.user": settings.DB_USER,
            "database.password": settings.DB_PASSWORD,
            "database.dbname": settings.DB_NAME,
            "database.server.name": "memberservice",
            "schema.include.list": "access",
            "table.include.list": "access.members_outbox",
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
            "transforms.outbox.field.event.type": "eventtype",
            "transforms.outbox.field.event.payload": "payload",
            "transforms.outbox.field.event.timestamp": "created_at",
            "transforms.outbox.field.event.timestamp.type": "io.debezium.time.Timestamp",
            "transforms.outbox.expand.json.payload": "true",
            "transforms.outbox.table.fields.additional.placement": "eventtype:envelope:type",
        },
    }


# What the consumer sees at the moment:
# ConsumerRecord(
#     topic='memberservice.member',
#     key=b'{"schema":{"type":"string","optional":false},"payload":"someone@example.org"}',
#     value={
#         'schema': {...},
#         'payload': {
#             'payload': '{"email": "someone@example.org", "is_active": null}',
#             'type': 'member_created'
#         }
#     },
#     headers=(('id', b'1f027c97-...'),)
# )
