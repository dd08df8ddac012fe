#!/bin/bash
# usage: connector-ctl.sh create|update

render() {
  cat <<EOF | DOLLAR=$ envsubst
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "papyrus-db",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "password",
  "database.server.id": "1",
  "database.include.list": "papyrus",
  "table.include.list": "papyrus.outbox_events",
  "event.processing.failure.handling.mode": "fail",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "Papyrus.SYS.SchemaHistory",
  "topic.prefix": "Papyrus.SYS.Changes",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "Papyrus.CDC.\${DOLLAR}{routedByValue}",
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
name=papyrus

case $1 in
  create)
    body='{"name": "'$name'", "config":'
    body+=$(render)
    body+='}'
    curl -X POST --header 'Content-Type: application/json' -d "${body}" ${connect}/connectors
    ;;
  update)
    curl -X PUT --header 'Content-Type: application/json' -d "$(render)" ${connect}/connectors/${name}/config
    ;;
  *)
    echo "create or update?"
    ;;
esac
