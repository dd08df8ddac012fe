#!/usr/bin/env bash
# usage: connector.sh create|update
payload() {
cat <<EOF
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": 1,
  "topic.creation.default.replication.factor": 1,
  "topic.creation.default.partitions": 10,
  "topic.creation.default.compression.type": "zstd",
  "database.hostname": "scroll-db",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "password",
  "database.dbname": "scroll_db",
  "database.server.name": "Scroll.SYS.DBServer",
  "database.history.kafka.bootstrap.servers": "kafka:9092",
  "database.history.kafka.topic": "Scroll.SYS.SchemaChange",
  "database.history.store.only.captured.tables.ddl": "true",
  "include.schema.changes": "false",
  "table.include.list": "scroll_db.outbox_events",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.op.invalid.behavior": "fatal",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "tenant_uid",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.fields.additional.placement": "tenant_uid:header:x-tenant-id,event_type:header:x-type",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "Scroll.CDC.\${routedByValue}",
  "value.converter": "io.debezium.converters.ByteBufferConverter",
  "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.delegate.converter.type.schemas.enable": "false",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "key.converter.schemas.enable": "false",
  "snapshot.mode": "when_needed"
}
EOF
}
case $1 in
  update) payload | curl -s -X PUT -H 'Content-Type: application/json' --data @- http://localhost:8083/connectors/scroll/config ;;
  *) echo "usage: $0 update" ;;
esac
