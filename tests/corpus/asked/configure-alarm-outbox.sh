#!/bin/bash
# Registers the outbox connector of the alarm pipeline

set -e

CONNECT_URL="http://debezium-connect:8083"
MAX_RETRIES=30
RETRY_INTERVAL=5

wait_for_connect() {
    for i in $(seq 1 $MAX_RETRIES); do
        if curl -f -s "$CONNECT_URL/connectors" > /dev/null 2>&1; then
            echo "Connect is ready"
            return 0
        fi
        echo "Attempt $i/$MAX_RETRIES: not ready yet, waiting ${RETRY_INTERVAL}s..."
        sleep $RETRY_INTERVAL
    done
    echo "ERROR: Connect did not become ready"
    exit 1
}

configure_outbox_connector() {
    cat > /tmp/alarm-outbox.json << EOF
{
    "name": "alarm-outbox-connector",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "postgres",
        "database.dbname": "alarmpipeline",
        "database.server.name": "alarmpipeline-outbox",
        "topic.prefix": "alarmpipeline-outbox",
        "table.include.list": "public.outbox_alarms",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.route.topic.replacement": "alarm-events",
        "transforms.outbox.table.field.event.id": "id",
        "transforms.outbox.table.field.event.key": "aggregateid",
        "transforms.outbox.table.field.event.payload": "payload",
        "plugin.name": "pgoutput",
        "slot.name": "debezium_alarm_slot",
        "publication.name": "debezium_alarm_publication",
        "tombstones.on.delete": false,
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": false
    }
}
EOF

    curl -X POST -H "Content-Type: application/json" -d @/tmp/alarm-outbox.json "$CONNECT_URL/connectors"
}

wait_for_connect
sleep 10   # the database needs a moment
configure_outbox_connector
sleep 5
curl -s "$CONNECT_URL/connectors/alarm-outbox-connector/status"
