
apk add --update curl && rm -rf /var/cache/apk/*

curl -X POST -H "Accept:application/json" -H "Content-Type:application/json" worker:8083/connectors/ -d '
{
    "name": "gatherings-documents",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": "gatherings-pg",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "postgres",
        "database.dbname": "gatherings",
        "database.server.name": "gatherings1",
        "key.converter": "io.confluent.connect.avro.AvroConverter",
        "key.converter.schema.registry.url": "http://registry:8081",
        "value.converter": "io.confluent.connect.avro.AvroConverter",
        "value.converter.schema.registry.url": "http://registry:8081",
        "table.whitelist": "public.probe,gatherings_read.mt_doc_gathering",
        "transforms": "short",
        "transforms.short.type": "org.apache.kafka.connect.transforms.RegexRouter",
        "transforms.short.regex": "([^.]+)\\.([^.]+)\\.([^.]+)",
        "transforms.short.replacement": "$3"
    }
}' && curl -X POST -H "Accept:application/json" -H "Content-Type:application/json" worker:8083/connectors/ -d '
{
    "name": "gatherings-facts",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": "gatherings-pg",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "postgres",
        "database.dbname": "gatherings",
        "database.server.name": "gatherings1",
        "schema.whitelist": "gatherings_write",
        "table.whitelist" : "gatherings_write.mt_facts",
        "tombstones.on.delete" : "false",
        "transforms" : "facts",
        "transforms.facts.type" : "io.debezium.transforms.outbox.EventRouter",
        "transforms.facts.route.topic.replacement" : "${routedByValue}.facts",
        "transforms.facts.table.field.event.id": "id",
        "transforms.facts.table.field.event.key": "stream_id",
        "transforms.facts.table.field.event.type": "type",
        "transforms.facts.table.field.event.payload": "data",
        "transforms.facts.table.field.event.payload.id": "stream_id",
        "transforms.facts.table.field.event.timestamp" : "timestamp"
    }
}'
