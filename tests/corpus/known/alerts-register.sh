#!/bin/bash
# after: docker compose up -d
curl -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "alerts-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "plugin.name": "pgoutput",
      "database.hostname": "sky-postgres",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "Tower@4417x",
      "database.dbname": "sky",
      "database.server.name": "sky_server",
      "topic.prefix": "sky_cdc",
      "table.include.list": "public.alerts",
      "publication.name": "dbz_publication",
      "publication.autocreate.mode": "filtered",
      "schema.history.internal.kafka.bootstrap.servers": "sky-kafka:29092",
      "schema.history.internal.kafka.topic": "schema-changes.sky"
    }
  }'
curl http://localhost:8083/connectors/alerts-connector/status
