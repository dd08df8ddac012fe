#!/bin/bash
# Posts the CDC connector for the clinical database

CONNECT_URL=${CONNECT_URL:-http://localhost:8083}

until curl -s $CONNECT_URL/connectors > /dev/null 2>&1; do
  echo "not up yet"
  sleep 5
done

curl -X POST $CONNECT_URL/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "clinical-source",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "clinical",
      "database.password": "${PG_PASSWORD}",
      "database.dbname": "clinical",
      "database.server.name": "clinical-db",
      "topic.prefix": "clinical",
      "table.include.list": "public.visits,public.findings,public.persons",
      "plugin.name": "pgoutput",
      "slot.name": "clinical_slot",
      "publication.name": "clinical_pub",
      "transforms": "unwrap",
      "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState"
    }
  }'

echo "done"
