#!/bin/bash
set -e

echo "Enregistrement du connecteur CDC..."

# On attend que Kafka Connect réponde
until curl -s http://localhost:8083/ > /dev/null; do
  echo "   pas encore..."
  sleep 3
done

# L'ancien connecteur est retiré s'il y en a un
curl -X DELETE http://localhost:8083/connectors/plateau-postgres-connector 2>/dev/null || true

# Nouveau connecteur
curl -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "plateau-postgres-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "plugin.name": "pgoutput",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "repas",
      "database.password": "repas",
      "database.dbname": "repas",
      "topic.prefix": "pgserver1",
      "slot.name": "slot_plateau",
      "publication.name": "publication_plateau",
      "table.include.list": "public.client,public.restaurant,public.coursier,public.course_events",
      "include.schema.changes": "true",
      "database.history.kafka.bootstrap.servers": "kafka:29092",
      "database.history.kafka.topic": "schema-changes.plateau"
    }
  }'

echo ""
echo "Etat du connecteur :"
curl -s http://localhost:8083/connectors/plateau-postgres-connector/status | jq .
