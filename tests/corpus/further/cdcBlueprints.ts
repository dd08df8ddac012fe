import { engineFamily, safeIdentifier } from './sql-helpers';

export interface OutboxBlueprint {
  engine: string;
  ddl: string;
  connectorJson: string;
  dedupHint: string;
}

/** What the "CDC" page of the workbench shows for the engine that was chosen. */
export function outboxBlueprint(options: { engine?: string; table?: string }): OutboxBlueprint {
  const engine = (options.engine || 'mysql').toLowerCase();
  const table = safeIdentifier(options.table, 'orders');

  let ddl = '';
  let connectorJson = '';
  let dedupHint = '';

  switch (engineFamily(engine)) {
    case 'mysql': {
      ddl = `CREATE TABLE IF NOT EXISTS outbox_events (
    id VARCHAR(36) PRIMARY KEY,
    aggregate_type VARCHAR(64) NOT NULL,
    aggregate_id VARCHAR(128) NOT NULL,
    event_type VARCHAR(64) NOT NULL,
    payload JSON NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)
) ENGINE=InnoDB;
-- written together with ${table}, in one transaction`;

      connectorJson = `{
  "name": "mysql-outbox-blueprint",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "db.plant.internal",
    "database.port": "3306",
    "database.user": "cdc_reader",
    "database.password": "\${env:DB_PASSWORD}",
    "database.server.id": "184049",
    "database.server.name": "plant_mysql",
    "database.include.list": "plant_app",
    "table.include.list": "plant_app.outbox_events",
    "include.schema.changes": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "facts.\${routedByValue}",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType",
    "transforms.outbox.route.by.field": "aggregate_type"
  }
}`;
      dedupHint = 'INSERT IGNORE into a table of seen event ids';
      break;
    }

    case 'oracle': {
      ddl = `CREATE TABLE outbox_events (
    id VARCHAR2(36) DEFAULT SYS_GUID() PRIMARY KEY,
    aggregate_type VARCHAR2(64) NOT NULL,
    aggregate_id VARCHAR2(128) NOT NULL,
    event_type VARCHAR2(64) NOT NULL,
    payload CLOB CHECK (payload IS JSON) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT SYSTIMESTAMP NOT NULL
);`;

      connectorJson = `{
  "name": "oracle-outbox-blueprint",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",
    "database.hostname": "oracle.plant.internal",
    "database.port": "1521",
    "database.user": "c##cdcreader",
    "database.password": "\${env:ORACLE_PWD}",
    "database.dbname": "PLANTCDB",
    "database.pdb.name": "PLANTPDB1",
    "database.server.name": "plant_oracle",
    "table.include.list": "PLANT_APP.OUTBOX_EVENTS",
    "database.connection.adapter": "logminer",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "facts.\${routedByValue}"
  }
}`;
      dedupHint = 'MERGE INTO a table of seen event ids';
      break;
    }

    case 'mongodb': {
      ddl = `db.createCollection("outbox_events", {
  validator: { $jsonSchema: {
    bsonType: "object",
    required: ["aggregateType", "aggregateId", "eventType", "payload", "createdAt"]
  } }
});`;

      connectorJson = `{
  "name": "mongodb-outbox-blueprint",
  "config": {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": "1",
    "mongodb.connection.string": "mongodb://debezium:debezium@mongo1:27017,mongo2:27017/?replicaSet=rs0",
    "topic.prefix": "plant_mongo",
    "collection.include.list": "plant_app.outbox_events",
    "capture.mode": "change_streams_update_lookup",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "facts.\${routedByValue}"
  }
}`;
      dedupHint = 'a unique index on the event id';
      break;
    }
  }

  return { engine, ddl, connectorJson, dedupHint };
}
