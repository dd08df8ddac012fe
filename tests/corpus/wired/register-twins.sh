#!/usr/bin/env bash
# Observatory: source and the two copies of its tables (archive and public catalogue). Safe to run again.
set -euo pipefail
URL=${CONNECT_URL:-http://localhost:8083}

put() { curl -fsS -X PUT -H 'Content-Type: application/json' "$URL/connectors/$1/config" -d @-; echo; }

put observatory-source <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "plugin.name": "pgoutput",
  "database.hostname": "observatory-db",
  "database.port": "5432",
  "database.user": "debezium",
  "database.password": "dbz",
  "database.dbname": "observatory",
  "topic.prefix": "obs",
  "table.include.list": "public.stars,public.exposures",
  "publication.autocreate.mode": "filtered",
  "slot.name": "observatory",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "transforms": "unwrap",
  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState"
}
JSON

# exposures -> archive (keeps everything, deletions of the source are left out)
put observatory-sink <<'JSON'
{
  "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
  "topics": "obs.public.exposures",
  "connection.url": "jdbc:postgresql://archive-db:5432/archive",
  "connection.username": "archive",
  "connection.password": "changeme",
  "insert.mode": "upsert",
  "primary.key.mode": "record_key",
  "schema.evolution": "basic",
  "collection.name.format": "exposures",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter"
}
JSON

# stars -> public catalogue (rows that go away there have to go away here)
put observatory-sink <<'JSON'
{
  "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
  "topics": "obs.public.stars",
  "connection.url": "jdbc:postgresql://catalogue-db:5432/catalogue",
  "connection.user": "catalogue",
  "connection.password": "changeme",
  "insert.mode": "upsert",
  "delete.enabled": "true",
  "pk.mode": "record_key",
  "pk.fields": "star_id",
  "auto.create": "true",
  "table.name.format": "stars",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter"
}
JSON
