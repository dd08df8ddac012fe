#!/bin/bash

# Puts the Debezium connector for the basket database into Kafka Connect.
# Rows of the outbox hold a finished JSON document in "payload": origin, eventType,
# eventId, eventTime and data are all members of it.

CONNECTOR="basket-service-relay"
CONNECT="http://localhost:8083"

echo "Deploying the MySQL connector for basket events..."

# an older registration is thrown away first
FOUND=$(curl -s "$CONNECT/connectors/$CONNECTOR")
if [ "$FOUND" != "null" ] && [ -n "$FOUND" ]; then
    echo "$CONNECTOR is registered already, deleting it..."
    curl -X DELETE "$CONNECT/connectors/$CONNECTOR"
    sleep 2
fi

curl -X POST "$CONNECT/connectors" \
  -H "Content-Type: application/json" \
  -d @- <<EOF
{
  "name": "$CONNECTOR",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "snapshot.mode": "when_needed",
    "database.hostname": "basket-db",
    "database.port": "3306",
    "database.user": "debezium",
    "database.password": "debezium",
    "database.server.id": "184071",
    "database.server.name": "basket-db-server",
    "database.include.list": "basket_db",
    "table.include.list": "basket_db.outbox_rows",
    "database.history.kafka.bootstrap.servers": "kafka:29092",
    "database.history.kafka.topic": "basket-db-ddl",
    "database.history.store.only.monitored.tables.ddl": "true",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "basket-db-ddl",
    "topic.prefix": "basket-db-server",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "baskets",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.route.by.field": "event_type",
    "transforms.outbox.table.expand.json.payload": "true",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}
EOF

echo ""
echo "Done. Look at it with: curl $CONNECT/connectors/$CONNECTOR/status"
