#!/bin/bash

# Creates the outbox connector of the link service in Kafka Connect

REST_HOST=${1:-localhost}
REST_PORT=${2:-8083}

echo "Checking Kafka Connect..."

# Loop until the REST interface answers
until curl -s -f "http://${REST_HOST}:${REST_PORT}/connectors" > /dev/null; do
    echo "Not there yet, next try in 5 seconds..."
    sleep 5
done

echo "Kafka Connect answers."

# Drop an older registration
if curl -s "http://${REST_HOST}:${REST_PORT}/connectors/links-outbox-connector" > /dev/null 2>&1; then
    echo "Removing the present 'links-outbox-connector'..."
    curl -X DELETE "http://${REST_HOST}:${REST_PORT}/connectors/links-outbox-connector"
    sleep 2
fi

echo "Creating the connector..."

# Create it
curl -X POST \
  "http://${REST_HOST}:${REST_PORT}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "links-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "database.hostname": "db",
      "database.port": "5432",
      "database.user": "links_user",
      "database.password": "links_password",
      "database.dbname": "links_demo_db",
      "database.server.name": "linksrv1",
      "topic.prefix": "linksrv1",
      "schema.include.list": "public",
      "table.include.list": "public.outbox_entries",
      "plugin.name": "pgoutput",
      "publication.autocreate.mode": "filtered",
      "tombstones.on.delete": "false",
      "slot.name": "links_outbox_slot",
      "publication.name": "links_outbox_pub",
      
      "transforms": "outbox,route",
      
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.expand.json.payload": "true",
      "transforms.outbox.table.fields.additional.placement": "trace_id:header,parent_span_id:header,trace_flags:header,workspace_id:header,created_by:header",
      
      "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
      "transforms.route.regex": "outbox.event.(.*)",
      "transforms.route.replacement": "$1",
      
      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": "false",
      
      "snapshot.mode": "initial",
      "heartbeat.interval.ms": "10000"
    }
  }'

echo ""
echo "State of the connector:"
sleep 3

curl -s "http://${REST_HOST}:${REST_PORT}/connectors/links-outbox-connector/status" | jq '.'

echo ""
echo "Done."
echo "  state:  curl http://${REST_HOST}:${REST_PORT}/connectors/links-outbox-connector/status | jq"
echo "  remove: curl -X DELETE http://${REST_HOST}:${REST_PORT}/connectors/links-outbox-connector"
