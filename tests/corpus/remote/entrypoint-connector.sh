#!/bin/bash
set -e

echo "Registering at http://$CONNECT_REST_ADVERTISED_HOST_NAME:$CONNECT_REST_PORT/connectors/"
curl -s \
     -X "POST" "http://$CONNECT_REST_ADVERTISED_HOST_NAME:$CONNECT_REST_PORT/connectors/" \
     -H "Content-Type: application/json" \
     -d '{
   "name": "source-story-service",
   "config": {
     "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
     "tasks.max": "1",
     "database.hostname": "'$PG_HOST'",
     "database.port": "'$PG_PORT'",
     "database.user": "'$PG_USERNAME'",
     "database.password": "'$PG_PASSWORD'",
     "database.dbname": "'$PG_NAME'",
     "database.server.name": "'$PG_SERVERNAME'",
     "table.whitelist": "public.outbox",
     "schema.whitelist": "public",
     "tombstones.on.delete": "false",
     "transforms": "outbox",
     "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
     "transforms.outbox.route.topic.replacement": "${routedByValue}.events",
     "transforms.outbox.table.fields.additional.placement": "type:header:eventType"
   }
 }'
