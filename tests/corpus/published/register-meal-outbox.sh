#!/bin/bash
# Registers the MySQL source connector of the canteen service.
# It follows meal_outbox in the binlog, puts the payload column on the
# fixed topic "meal-orders" and carries event_kind along as a record header.

set -e

CONNECT="${CONNECT:-http://localhost:8083}"
NAME="canteen-outbox-source"

echo "waiting for Connect at ${CONNECT} ..."
until curl -fs "${CONNECT}/" > /dev/null 2>&1; do
    sleep 3
done

echo "creating ${NAME} ..."
curl -i -X POST \
    -H "Accept:application/json" \
    -H "Content-Type:application/json" \
    "${CONNECT}/connectors/" \
    -d '{
        "name": "canteen-outbox-source",
        "config": {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "tasks.max": "1",
            "database.hostname": "canteen-mysql",
            "database.port": "3306",
            "database.user": "root",
            "database.password": "Password",
            "database.server.id": "190211",
            "database.server.name": "canteen-mysql",
            "database.include.list": "canteen",
            "table.include.list": "canteen.meal_outbox",
            "topic.prefix": "cdc",
            "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
            "schema.history.internal.kafka.topic": "cdc_history",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "id",
            "transforms.outbox.table.field.event.key": "id",
            "transforms.outbox.table.field.event.type": "event_kind",
            "transforms.outbox.table.field.event.payload": "payload",
            "transforms.outbox.route.by.field": "aggregate_kind",
            "transforms.outbox.route.topic.replacement": "meal-orders",
            "transforms.outbox.value.field": "payload"
        }
    }'

echo
echo "${NAME} is registered; rows of meal_outbox now go to meal-orders."
