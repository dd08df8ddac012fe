#!/bin/sh
# PostgreSQL with the decoderbufs plugin of the image quay.io/debezium/postgres:15: no publication needed
curl -X POST -H "Content-Type: application/json" http://localhost:8083/connectors -d '
{
  "name": "radio-playlist",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": 1,
    "database.hostname": "postgres",
    "database.port": 5432,
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "radio",
    "database.server.name": "radio",
    "topic.prefix": "radio",
    "plugin.name": "decoderbufs",
    "slot.name": "radio",
    "schema.include.list": "playlist",
    "hstore.handling.mode": "map",
    "interval.handling.mode": "string"
  }
}'
