#!/usr/bin/env bash
# One sink for each table of the CRM. Debezium 2.3, JDBC sink 10.7.
# Open question: on a delete the row in the copy gets __deleted = true instead of going away, although
# delete.enabled is set, and I find the tables in another place than I wrote.
set -eu
CONNECT=http://localhost:8083/connectors

curl -s -X POST -H 'Content-Type: application/json' "$CONNECT" -d '{
  "name": "crm-source",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "database.hostname": "mssql",
    "database.port": "1433",
    "database.user": "cdc",
    "database.password": "changeme",
    "database.names": "Crm",
    "database.encrypt": "false",
    "topic.prefix": "crm",
    "table.include.list": "dbo.Clients,dbo.Visits",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": "crm.history",
    "transforms": "unwrap,short",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "transforms.short.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.short.regex": "crm\\.Crm\\.dbo\\.(.*)",
    "transforms.short.replacement": "$1"
  }
}'

while read -r table pk; do
  curl -s -X POST -H 'Content-Type: application/json' "$CONNECT" -d '{
    "name": "crm-sink-'$table'",
    "config": {
      "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
      "topics": "'$table'",
      "connection.url": "jdbc:sqlserver://mssql-copy:1433;databaseName=mirror;encrypt=false",
      "connection.user": "sa",
      "connection.password": "changeme",
      "auto.create": "true",
      "auto.evolve": "true",
      "insert.mode": "upsert",
      "pk.mode": "record_key",
      "pk.fields": " '$pk'",
      "delete.enabled": "true",
      "destination.table.format": "mirror.archive.'$table'"
    }
  }'
done <<TABLES
Clients ClientId
Visits VisitId
TABLES
