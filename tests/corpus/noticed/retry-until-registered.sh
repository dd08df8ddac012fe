#!/bin/bash

code=000

registerConnector () {
  http_code=$(curl --write-out '%{http_code}' --silent --output /dev/null -XPOST localhost:8083/connectors/ -H "content-type: application/json" -d '
    {
      "name": "pg.cdc-messages",
      "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "database.hostname": "postgres",
        "plugin.name": "pgoutput",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "postgres",
        "database.dbname": "postgres",
        "database.server.name": "postgres",
        "table.include.list": "public.Messages",
        "database.history.kafka.bootstrap.servers": "http://broker:9092",
        "database.history.kafka.topic": "schema.changes.pg.cdc",
        "slot.name": "cdc_messages",
        "max.queue.size": "81290",
        "max.batch.size": "20480",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "io.debezium.converters.ByteBufferConverter",
        "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.delegate.converter.type.schemas.enable": "false",
        "snapshot.mode": "never",
        "publication.name": "pub_messages",
        "transforms": "outbox",
        "transforms.outbox.table.field.event.key": "key",
        "transforms.outbox.route.by.field": "topic_name",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.route.topic.replacement": "${routedByValue}",
        "transforms.outbox.table.fields.additional.placement": "metadata:header",
        "topic.creation.default.cleanup.policy": "delete",
        "topic.creation.default.replication.factor": "1",
        "topic.creation.default.partitions": "1",
        "key.converter.schemas.enable": "false",
        "value.converter.schemas.enable": "false",
        "heartbeat.interval.ms": "3000"
      }
    }
  ');

  echo "$http_code"
}

while [ "$code" != 201 ] | [ "$code" != 409 ];
  do
    echo "Registering the messages connector"
    code=$(registerConnector)
    sleep 5
  done

echo "messages connector registered"
