#!/bin/bash
# Watches the tables of the clinic that the occupancy board needs.

echo "Connect may take a minute to come up ..."
until [ "$(curl -s -o /dev/null -w '%{http_code}' http://localhost:8083/connectors)" = "200" ]; do
  sleep 5
done

curl -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "clinic-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "database.hostname": "clinicpg",
      "database.port": "5432",
      "database.user": "clinic",
      "database.password": "clinic123",
      "database.dbname": "clinic_wards",
      "topic.prefix": "clinic",
      "plugin.name": "pgoutput",
      "slot.name": "clinic_slot",
      "publication.name": "clinic_publication",
      "table.include.list": "public.wards,public.nurses,public.weekly_plan,public.nurse_shifts",
      "schema.include.list": "public"
    }
  }'
