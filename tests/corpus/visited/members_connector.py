from app.db.conf import load_conf


async def connector_body(conf):
    return {
        "name": "members-outbox-connector",
        "config": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "tasks.max": "1",
            "database.hostname": conf.PG_HOST,
            "database.port": conf.PG_PORT,
            "database.user": conf.PG_USER,
            "database.password": conf.PG_PASSWORD,
            "database.dbname": conf.PG_NAME,
            "database.server.name": "memberservice",
            "schema.include.list": "club",
            "table.include.list": "club.members_outbox",
            "plugin.name": "pgoutput",
            "publication.name": "dbz_pub_members",
            "tombstones.on.delete": "false",
            "topic.prefix": "memberservice",
            "slot.name": "dbz_members",

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
            "transforms.outbox.table.fields.additional.placement": "eventtype:envelope:type"
        }
    }

# what a consumer gets to see:
# topic='memberservice.member'  key=b'{"schema":{"type":"string","optional":false},"payload":"anna@club.test"}'
# value={
#     'schema': {'type': 'struct', 'fields': [
#         {'type': 'string', 'optional': False, 'name': 'io.debezium.data.Json', 'version': 1, 'field': 'payload'},
#         {'type': 'string', 'optional': False, 'field': 'type'}],
#         'optional': False, 'name': 'memberservice.club.members_outbox.member.Value'},
#     'payload': {'payload': '{"mail": "anna@club.test", "active": null}', 'type': 'member_joined'}
# }
