export interface OutboxBlueprint {
  ddl: string;
  connectorJson: string;
  idempotency: string;
}

// What the "outbox" tab of the assistant shows for SQL Server
export function sqlServerBlueprint(): OutboxBlueprint {
  const ddl = `-- Transactional outbox, SQL Server
CREATE TABLE [dbo].[outbox_notes] (
    [id] UNIQUEIDENTIFIER PRIMARY KEY DEFAULT NEWID(),
    [aggregate_type] NVARCHAR(64) NOT NULL,
    [aggregate_id] NVARCHAR(128) NOT NULL,
    [event_type] NVARCHAR(64) NOT NULL,
    [payload] NVARCHAR(MAX) NOT NULL,
    [headers] NVARCHAR(MAX) NULL,
    [created_at] DATETIMEOFFSET NOT NULL DEFAULT SYSDATETIMEOFFSET()
);`;

  const connectorJson = `{
  "name": "mssql-cdc-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "tasks.max": "1",
    "database.hostname": "mssql-db.internal",
    "database.port": "1433",
    "database.user": "debezium_reader",
    "database.password": "\${env:MSSQL_SECRET}",
    "database.names": "live_app",
    "database.server.name": "live_mssql",
    "table.include.list": "dbo.outbox_notes",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"
  }
}`;

  return { ddl, connectorJson, idempotency: 'unique id and MERGE INTO a ledger table' };
}
