#!/bin/bash
set -e

echo "--- writing the config of Debezium Server"

mkdir -p /debezium/config
mkdir -p /debezium/data

# printf, since heredocs gave trouble in the pipeline
printf '%s\n' \
  "debezium.source.connector.class=io.debezium.connector.sqlserver.SqlServerConnector" \
  "debezium.source.database.hostname=payroll-sql.database.example" \
  "debezium.source.database.port=1433" \
  "debezium.source.database.user=sqladmin" \
  "debezium.source.database.password=${SQL_PASSWORD}" \
  "debezium.source.database.names=payroll-db" \
  "debezium.source.database.encrypt=true" \
  "debezium.source.database.trustServerCertificate=false" \
  "debezium.source.table.include.list=payroll-db.dbo.Salaries" \
  "debezium.source.topic.prefix=cdc" \
  "debezium.source.snapshot.mode=initial" \
  "debezium.source.schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory" \
  "debezium.source.schema.history.internal.file.filename=/debezium/data/schema-history.dat" \
  "debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore" \
  "debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat" \
  "debezium.source.offset.flush.interval.ms=60000" \
  "debezium.sink.type=eventhubs" \
  "debezium.sink.eventhubs.connectionstring=${EVENTHUBS_CONNECTION_STRING}" \
  "debezium.sink.eventhubs.hubname=salary-changes" \
  "debezium.format.value=json" \
  "debezium.format.key=json" \
  > /debezium/config/application.properties

echo "--- starting Debezium Server"
exec /debezium/run.sh
