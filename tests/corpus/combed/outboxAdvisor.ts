export type Engine = "postgresql" | "sqlserver";

export interface Advice {
  ddl: string;
  connector: string;
  idempotency: string;
}

/** Renders the advice panel "Outbox" for the chosen engine. */
export function adviseOutbox(engine: Engine): Advice | undefined {
  if (engine === "sqlserver") {
    const ddl = `-- outbox for SQL Server
CREATE TABLE [dbo].[dispatch_events] (
    [id] UNIQUEIDENTIFIER PRIMARY KEY DEFAULT NEWID(),
    [aggregate_type] NVARCHAR(60) NOT NULL,
    [aggregate_id] NVARCHAR(120) NOT NULL,
    [event_type] NVARCHAR(60) NOT NULL,
    [payload] NVARCHAR(MAX) NOT NULL,
    [created_at] DATETIMEOFFSET NOT NULL DEFAULT SYSDATETIMEOFFSET()
);
EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'dispatch_events', @role_name = NULL;`;

    const connector = `{
  "name": "mssql-dispatch-outbox",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "tasks.max": "1",
    "database.hostname": "mssql.internal",
    "database.port": "1433",
    "database.user": "debezium_reader",
    "database.password": "\${env:MSSQL_PASSWORD}",
    "database.names": "app_main",
    "database.server.name": "main_mssql",
    "table.include.list": "dbo.dispatch_events",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"
  }
}`;

    return { ddl, connector, idempotency: "MERGE INTO a ledger of handled event ids" };
  }
  return undefined;
}
