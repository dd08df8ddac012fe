#!/bin/sh
# Sends the outbox connector of the bakery's order database to Kafka Connect.

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"
CONNECTOR="bakery-outbox"

echo "Waiting for Connect at $CONNECT_URL"
until curl -sf "$CONNECT_URL/connectors" > /dev/null; do
  sleep 3
done

if curl -sf "$CONNECT_URL/connectors/$CONNECTOR" > /dev/null; then
  echo "$CONNECTOR is replaced"
  curl -s -X DELETE "$CONNECT_URL/connectors/$CONNECTOR"
  sleep 2
fi

curl -s -X POST "$CONNECT_URL/connectors" -H "Content-Type: application/json" -d @- <<EOF
{
  "name": "$CONNECTOR",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "bakerydb",
    "database.port": "3306",
    "database.user": "debezium",
    "database.password": "debezium",
    "database.server.id": "151515",
    "database.server.name": "bakery-server",
    "database.include.list": "bakery",
    "table.include.list": "bakery.outbox_items",
    "database.history.kafka.bootstrap.servers": "broker:29092",
    "database.history.kafka.topic": "bakery-schema",
    "database.history.store.only.monitored.tables.ddl": "true",
    "schema.history.internal.kafka.bootstrap.servers": "broker:29092",
    "schema.history.internal.kafka.topic": "bakery-schema",
    "topic.prefix": "bakery-server",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "bakery-orders",
    "transforms.outbox.table.field.event.key": "order_id",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.payload": "body",
    "transforms.outbox.table.field.event.type": "kind",
    "transforms.outbox.route.by.field": "kind",
    "transforms.outbox.table.expand.json.payload": "true",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}
EOF

echo ""
echo "State: curl $CONNECT_URL/connectors/$CONNECTOR/status"
