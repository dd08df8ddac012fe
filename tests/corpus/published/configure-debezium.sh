#!/bin/bash

code=000

register () {
  answer=$(curl --silent --output /dev/null --write-out '%{http_code}' -XPOST localhost:8083/connectors/ -H "content-type: application/json" -d '
    {
      "name": "pg.debezium-messages",
      "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "plugin.name": "pgoutput",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "postgres",
        "database.dbname": "postgres",
        "database.server.name": "postgres",
        "table.include.list": "public.Messages",
        "database.history.kafka.bootstrap.servers": "http://broker:9092",
        "database.history.kafka.topic": "schema.changes.pg.cdc",
        "slot.name": "debezium_messages",
        "publication.name": "dbz_messages",
        "snapshot.mode": "never",
        "max.queue.size": "81290",
        "max.batch.size": "20480",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "key.converter.schemas.enable": "false",
        "value.converter": "io.debezium.converters.ByteBufferConverter",
        "value.converter.schemas.enable": "false",
        "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.delegate.converter.type.schemas.enable": "false",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.key": "key",
        "transforms.outbox.route.by.field": "topic_name",
        "transforms.outbox.route.topic.replacement": "${routedByValue}",
        "transforms.outbox.table.fields.additional.placement": "metadata:header",
        "topic.creation.default.cleanup.policy": "delete",
        "topic.creation.default.replication.factor": "1",
        "topic.creation.default.partitions": "1",
        "heartbeat.interval.ms": "3000"
      }
    }
  ');

  echo "$answer"
}

while [ "$code" != 201 ] && [ "$code" != 409 ];
  do
    echo "registering pg.debezium-messages"
    code=$(register)
    sleep 5
  done

echo "done"
