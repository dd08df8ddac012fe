#!/usr/bin/env bash

CONNECTORS="http://localhost:8083/connectors"

echo "Registering the staff connector..."

curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" \
  $CONNECTORS -d '{
  "name": "staff-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "plugin.name": "pgoutput",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgrespassword",
    "database.dbname": "staff_suite",
    "database.server.name": "staff_cdc",
    "table.include.list": "absence.outbox_rows,salary.outbox_rows",
    "tombstones.on.delete": "false",
    "topic.prefix": "staff_cdc"
  }
}'

echo ""
echo "Registered."
