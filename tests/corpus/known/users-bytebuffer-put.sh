#!/bin/bash
set -e
echo "creating the source"
curl -X PUT \
     -H "Content-Type: application/json" \
     --data '{
               "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
               "tasks.max": "1",
               "database.hostname": "postgres",
               "database.port": "5432",
               "database.user": "someuser",
               "database.password": "somepassword",
               "database.dbname" : "postgres",
               "database.server.name": "midgard",

               "value.converter.delegate.converter.type.schemas.enable": "false",
               "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
               "value.converter.schemas.enabled": "false",
               "value.converter": "io.debezium.converters.ByteBufferConverter",

               "transforms": "outbox",
               "transforms.outbox.type" : "io.debezium.transforms.outbox.EventRouter",
               "transforms.outbox.route.topic.replacement" : "people.events",
               "transforms.outbox.table.expand.json.payload": "true"
          }' \
     http://localhost:8083/connectors/pg-people/config | jq .
