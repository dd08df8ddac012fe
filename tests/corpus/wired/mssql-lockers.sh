#!/usr/bin/env bash
# Parcel lockers: SQL Server 2022 with the outbox. Only the columns that the router needs are captured.
set -euo pipefail

docker network create lockers 2>/dev/null || true
docker run -d --name lockers-mssql --network lockers \
  -e ACCEPT_EULA=Y -e MSSQL_SA_PASSWORD='Password!' -e MSSQL_AGENT_ENABLED=true -e MSSQL_PID=Standard \
  -p 14330:1433 mcr.microsoft.com/mssql/server:2022-latest
sleep 25

docker exec -i lockers-mssql /opt/mssql-tools18/bin/sqlcmd -C -S localhost -U sa -P 'Password!' <<'SQL'
CREATE DATABASE lockers;
GO
USE lockers;
EXEC sys.sp_cdc_enable_db;
CREATE TABLE dbo.outbox (
  id            UNIQUEIDENTIFIER NOT NULL PRIMARY KEY DEFAULT NEWID(),
  aggregatetype NVARCHAR(60)  NOT NULL,
  aggregateid   NVARCHAR(60)  NOT NULL,
  type          NVARCHAR(60)  NOT NULL,
  payload       NVARCHAR(MAX) NOT NULL,
  trace         NVARCHAR(200) NULL,
  created_by    NVARCHAR(60)  NULL
);
GO
EXEC sys.sp_cdc_enable_table
  @source_schema = N'dbo', @source_name = N'outbox', @role_name = NULL, @supports_net_changes = 0,
  @captured_column_list = N'id,aggregatetype,aggregateid,type,payload';
GO
SQL

docker run -d --name lockers-connect --network lockers -p 8083:8083 \
  -e BOOTSTRAP_SERVERS="${BOOTSTRAP_SERVERS:?}" -e GROUP_ID=lockers \
  -e CONFIG_STORAGE_TOPIC=lockers_configs -e OFFSET_STORAGE_TOPIC=lockers_offsets -e STATUS_STORAGE_TOPIC=lockers_status \
  quay.io/debezium/connect:3.2

curl -fsS --retry 30 --retry-all-errors -X POST -H 'Content-Type: application/json' localhost:8083/connectors -d @- <<JSON
{
  "name": "lockers-outbox",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "database.hostname": "lockers-mssql",
    "database.port": "1433",
    "database.user": "sa",
    "database.password": "Password!",
    "database.names": "lockers",
    "driver.encrypt": "true",
    "driver.trustServerCertificate": "true",
    "topic.prefix": "lockers",
    "table.include.list": "dbo.outbox",
    "schema.history.internal.kafka.bootstrap.servers": "${BOOTSTRAP_SERVERS}",
    "schema.history.internal.kafka.topic": "lockers.schema-history",
    "tombstones.on.delete": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.fields.additional.placement": "type:header:eventType"
  }
}
JSON
