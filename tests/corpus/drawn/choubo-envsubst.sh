#!/bin/bash

render() {
  cat<<EOF | DOLLAR=$ envsubst
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "choubo-db",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "password",
  "database.server.id": "1",
  "database.include.list": "choubo_db",
  "table.include.list": "choubo_db.outbox_events",
  "event.processing.failure.handling.mode": "fail",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "Choubo.SYS.SchemaChange",
  "topic.prefix": "Choubo.SYS.SchemaChange",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "Choubo.CDC.\${DOLLAR}{routedByValue}",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "tenant_uid",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.op.invalid.behavior": "fatal",
  "header.converter": "org.apache.kafka.connect.storage.SimpleHeaderConverter",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "io.debezium.converters.BinaryDataConverter",
  "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.delegate.converter.type.schemas.enable": "false",
  "value.converter.schemas.enable": "false"
}
EOF
}

connect=http://localhost:8083
name=choubo

case $1 in
  put)
    body=$(render)
    curl -X PUT --header 'Content-Type: application/json' -d "${body}" ${connect}/connectors/${name}/config
    ;;
  new)
    body='{"name": "choubo", "config":'
    body+=$(render)
    body+='}'
    curl -X POST --header 'Content-Type: application/json' -d "${body}" ${connect}/connectors
    ;;
  *)
    echo usage: put or new
esac
