#!/bin/bash

# usage: ./kimono-cdc.sh create|update

render() {
  cat<<EOF | DOLLAR=$ envsubst
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": 1,
  "topic.creation.default.replication.factor": 1,
  "topic.creation.default.partitions": 12,
  "topic.creation.default.compression.type": "lz4",
  "database.hostname": "obi-db",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "password",
  "database.dbname": "obi_db",
  "database.server.name": "Obi.SYS.DBServer",
  "database.history.kafka.bootstrap.servers": "broker:9092",
  "database.history.kafka.topic": "Obi.SYS.SchemaChange",
  "database.history.store.only.captured.tables.ddl": "true",
  "database.history.consumer.group.id": "Obi.Group.History.Reader",
  "database.history.producer.group.id": "Obi.Group.History.Writer",
  "include.schema.changes": "false",
  "event.deserialization.failure.handling.mode": "fail",
  "table.include.list": "obi_db.outgoing_messages",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.op.invalid.behavior": "fatal",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "shop_uid",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.fields.additional.placement": "shop_uid:header:x-obi-shop-id,trace_id:header:x-apm-trace-id,span_id:header:x-apm-parent-id",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "Obi.CDC.\${DOLLAR}{routedByValue}",
  "value.converter": "io.debezium.converters.ByteBufferConverter",
  "value.converter.schemas.enable": "false",
  "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.delegate.converter.type.schemas.enable": "false",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "key.converter.schemas.enable": "false",
  "snapshot.mode": "when_needed"
}
EOF
}

endpoint=http://localhost:8083
name=obi

case $1 in
  update)
    body=$(render)
    curl -X PUT --header 'Content-Type: application/json' -d "${body}" ${endpoint}/connectors/${name}/config
    ;;
  create)
    body='{"name": "obi", "config":'
    body+=$(render)
    body+='}'
    curl -X POST --header 'Content-Type: application/json' -d "${body}" ${endpoint}/connectors
    ;;
  *)
    echo "which command?"
esac
