#!/bin/bash
# Sets up the outbox connector of the sensor pipeline

set -e

CONNECT_URL="http://cdc-connect:8083"
MAX_TRIES=30
PAUSE=5

echo "Setting up the outbox connector..."

# Waits for the worker
await_connect() {
    for i in $(seq 1 $MAX_TRIES); do
        if curl -f -s "$CONNECT_URL/connectors" > /dev/null 2>&1; then
            echo "Worker answers."
            return 0
        fi
        echo "Try $i/$MAX_TRIES: no answer, waiting ${PAUSE}s..."
        sleep $PAUSE
    done
    echo "ERROR: no answer after $MAX_TRIES tries"
    exit 1
}

# Creates the connector
create_connector() {
    
    cat > /tmp/sensor-outbox.json << EOF
{
    "name": "sensor-outbox",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "postgres",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "postgres",
        "database.dbname": "sensorpipe",
        "database.server.name": "sensorpipe-outbox",
        "topic.prefix": "sensorpipe-outbox",
        "table.include.list": "public.outbox_records",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.route.topic.replacement": "alarm-events",
        "transforms.outbox.table.field.event.id": "id",
        "transforms.outbox.table.field.event.key": "aggregateid",
        "transforms.outbox.table.field.event.payload": "payload",
        "plugin.name": "pgoutput",
        "slot.name": "sensor_outbox_slot",
        "publication.name": "sensor_outbox_publication",
        "tombstones.on.delete": false,
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": false
    }
}
EOF

    curl -X POST \
        -H "Content-Type: application/json" \
        -d @/tmp/sensor-outbox.json \
        "$CONNECT_URL/connectors"
    
    if [ $? -eq 0 ]; then
        echo "✅ created"
    else
        echo "❌ not created"
        exit 1
    fi
}

show_state() {
    curl -s "$CONNECT_URL/connectors/sensor-outbox/status"
    echo ""
}

main() {
    await_connect
    sleep 10  # the database needs a moment too
    create_connector
    sleep 5
    show_state
    
    echo "The rows of the outbox go to the topic 'alarm-events' from now on."
}

main "$@"
