/** Texts for the blueprint page: DDL and connector per engine. */
export function outboxBlueprint(engine: 'postgres' | 'sqlserver') {
  let outboxDdl = '';
  let connectorJson = '';
  let consumerHint = '';

  if (engine === 'sqlserver') {
    outboxDdl = `-- transactional outbox, SQL Server
CREATE TABLE [dbo].[outgoing_events] (
    [id] UNIQUEIDENTIFIER PRIMARY KEY DEFAULT NEWID(),
    [aggregate_type] NVARCHAR(64) NOT NULL,
    [aggregate_id] NVARCHAR(128) NOT NULL,
    [event_type] NVARCHAR(64) NOT NULL,
    [payload] NVARCHAR(MAX) NOT NULL,
    [headers] NVARCHAR(MAX) NULL,
    [created_at] DATETIMEOFFSET NOT NULL DEFAULT SYSDATETIMEOFFSET()
);`;

    connectorJson = `{
  "name": "mssql-outgoing-connector",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "tasks.max": "1",
    "database.hostname": "mssql.internal",
    "database.port": "1433",
    "database.user": "cdc_reader",
    "database.password": "\${env:MSSQL_PWD}",
    "database.names": "live_app",
    "database.server.name": "live_mssql",
    "table.include.list": "dbo.outgoing_events",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"
  }
}`;
    consumerHint = 'MERGE INTO a ledger of event ids';
  }

  return { outboxDdl, connectorJson, consumerHint };
}
