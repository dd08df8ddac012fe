#!/bin/sh

UP='docker-compose up -d'

startServices() {
  $UP
}

echo '-----     Development environment: '$UP
startServices


echo '-----     A moment, please...'
sleep 10

# Kafka connectors
echo -e '-----     Connector with event router: smsmessage'
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '{
"name": "smsmessage-outbox-connector",
"config": {
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "plugin.name": "pgoutput",
  "slot.name" : "dispatcher",
  "topic.prefix":"dispatcher",
  "tasks.max": "1",
  "database.hostname": "postgres",
  "database.port": "5432",
  "database.user": "postgres",
  "database.password": "admin",
  "database.dbname": "dispatcher",
  "database.server.name": "localhost",
  "tombstones.on.delete": "false",
  "table.include.list": "dispatcher.outbox_row",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.fields.additional.placement" : "id:envelope:uuid"}
}'

sleep 4

echo -e '\n\n-----     Connector with event router: enrolment'
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '{
"name": "enrolment-outbox-connector",
"config": {
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "plugin.name": "pgoutput",
  "slot.name" : "enroller",
  "topic.prefix":"enroller",
  "tasks.max": "1",
  "database.hostname": "postgres",
  "database.port": "5432",
  "database.user": "postgres",
  "database.password": "admin",
  "database.dbname" : "enroller",
  "database.server.name": "localhost",
  "tombstones.on.delete" : "false",
  "table.include.list" : "enroller.outbox_row",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.fields.additional.placement" : "id:envelope:uuid"}
}'
