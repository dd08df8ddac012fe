export interface OutboxBlueprint {
  engine: string;
  outboxDdl: string;
  connectorJson: string;
}

/** DDL and connector of an outbox, per database engine. */
export function outboxBlueprint(options: { engine: string; sourceTable?: string }): OutboxBlueprint {
  const engine = options.engine.toLowerCase();
  const sourceTable = options.sourceTable || 'bookings';

  let outboxDdl = '';
  let connectorJson = '';

  if (engine.includes('oracle')) {
    outboxDdl = `-- Oracle 19c / 21c / 23c
CREATE TABLE outbox_rows (
    id VARCHAR2(36) DEFAULT SYS_GUID() PRIMARY KEY,
    aggregate_type VARCHAR2(64) NOT NULL,
    aggregate_id VARCHAR2(128) NOT NULL,
    event_type VARCHAR2(64) NOT NULL,
    payload CLOB CHECK (payload IS JSON) NOT NULL,
    headers CLOB CHECK (headers IS JSON),
    created_at TIMESTAMP WITH TIME ZONE DEFAULT SYSTIMESTAMP NOT NULL,
    processed_at TIMESTAMP WITH TIME ZONE NULL
);

-- one transaction with the change of ${sourceTable}
/*
INSERT INTO outbox_rows (id, aggregate_type, aggregate_id, event_type, payload)
VALUES (SYS_GUID(), 'Booking', 'b_104', 'BookingMade', '{"booking_id": 104, "amount": 450.00}');
COMMIT;
*/`;

    connectorJson = `{
  "name": "oracle-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",
    "database.hostname": "ora-db.internal",
    "database.port": "1521",
    "database.user": "c##debezium",
    "database.password": "\${env:ORACLE_PWD}",
    "database.dbname": "ORCLCDB",
    "database.pdb.name": "ORCLPDB1",
    "database.server.name": "prod_oracle",
    "table.include.list": "TRAVEL.OUTBOX_ROWS",
    "database.connection.adapter": "logminer",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "travel.events.\${routedByValue}"
  }
}`;
  } else if (engine.includes('sqlserver') || engine.includes('mssql')) {
    outboxDdl = `-- Microsoft SQL Server
CREATE TABLE [dbo].[outbox_rows] (
    [id] UNIQUEIDENTIFIER PRIMARY KEY DEFAULT NEWID(),
    [aggregate_type] NVARCHAR(64) NOT NULL,
    [aggregate_id] NVARCHAR(128) NOT NULL,
    [event_type] NVARCHAR(64) NOT NULL,
    [payload] NVARCHAR(MAX) NOT NULL,
    [headers] NVARCHAR(MAX) NULL,
    [created_at] DATETIMEOFFSET NOT NULL DEFAULT SYSDATETIMEOFFSET(),
    [processed_at] DATETIMEOFFSET NULL
);`;

    connectorJson = `{
  "name": "sqlserver-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "tasks.max": "1",
    "database.hostname": "mssql-db.internal",
    "database.port": "1433",
    "database.user": "debezium_user",
    "database.password": "\${env:MSSQL_PWD}",
    "database.names": "travel",
    "database.server.name": "prod_mssql",
    "table.include.list": "dbo.outbox_rows",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"
  }
}`;
  }

  return { engine, outboxDdl, connectorJson };
}
