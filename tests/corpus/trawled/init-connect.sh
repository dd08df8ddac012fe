
apk add --update curl && rm -rf /var/cache/apk/*

curl -X POST -H "Accept:application/json" -H "Content-Type:application/json" connect:8083/connectors/ -d '
{
    "name": "source-journal",
    "config": {
       "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "password",
        "database.dbname": "postgres",
        "database.server.name": "pgdemo",
        "slot.name": "clubslot",
        "table.whitelist" : "clubwrite.mt_events",
        "tombstones.on.delete" : "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.route.by.field": "tenant_id",
        "transforms.outbox.table.field.event.id": "id",
        "transforms.outbox.table.field.event.key": "stream_id",
        "transforms.outbox.table.field.event.type": "type",
        "transforms.outbox.table.field.event.payload": "data",
        "transforms.outbox.table.field.event.payload.id": "stream_id",
        "transforms.outbox.route.topic.replacement": "club_events"
    }
}' && curl -X POST -H "Accept:application/json" -H "Content-Type:application/json" connect:8083/connectors/ -d '
{
    "name": "source-trial-journal",
    "config": {
       "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "password",
        "database.dbname": "postgres",
        "database.server.name": "pgdemo",
        "slot.name": "clubslot",
        "table.whitelist" : "trialwrite.mt_events",
        "tombstones.on.delete" : "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.route.by.field": "tenant_id",
        "transforms.outbox.table.field.event.id": "id",
        "transforms.outbox.table.field.event.key": "stream_id",
        "transforms.outbox.table.field.event.type": "type",
        "transforms.outbox.table.field.event.payload": "data",
        "transforms.outbox.table.field.event.payload.id": "stream_id",
        "transforms.outbox.route.topic.replacement": "trial_events"
    }
}'
