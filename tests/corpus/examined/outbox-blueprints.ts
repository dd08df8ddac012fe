// Blueprints of an outbox per database engine: table, connector, way to be idempotent.
export interface OutboxBlueprint {
  ddl: string;
  connectorJson: string;
  idempotency: string;
}

export function outboxBlueprint(engine: string, sourceTable: string): OutboxBlueprint {
  let ddl = '';
  let connectorJson = '';
  let idempotency = '';

  switch (engine) {
    case 'oracle': {
      ddl = `-- Engine: ORACLE
CREATE TABLE outbox_events (
    id VARCHAR2(36) DEFAULT SYS_GUID() PRIMARY KEY,
    aggregate_type VARCHAR2(64) NOT NULL,
    aggregate_id VARCHAR2(128) NOT NULL,
    event_type VARCHAR2(64) NOT NULL,
    payload CLOB CHECK (payload IS JSON) NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT SYSTIMESTAMP NOT NULL
);

/*
INSERT INTO ${sourceTable} (client_id, state, total) VALUES (77, 'done', 120.00);
INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, payload)
VALUES (SYS_GUID(), 'Invoice', 'inv_77', 'InvoiceSent', '{"invoice_id": 77}');
COMMIT;
*/`;

      connectorJson = `{
  "name": "oracle-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",
    "database.hostname": "oracle.internal",
    "database.port": "1521",
    "database.user": "c##cdc",
    "database.password": "\${env:ORACLE_PWD}",
    "database.dbname": "ORCLCDB",
    "database.pdb.name": "ORCLPDB1",
    "database.server.name": "erp_oracle",
    "table.include.list": "ERP_USER.OUTBOX_EVENTS",
    "database.connection.adapter": "logminer",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "business.events.\${routedByValue}"
  }
}`;
      idempotency = 'MERGE INTO a table of event ids';
      break;
    }

    case 'mongodb': {
      ddl = `// Engine: MONGODB
db.createCollection("outbox_events", {
  validator: {
    $jsonSchema: {
      bsonType: "object",
      required: ["aggregateType", "aggregateId", "eventType", "payload", "createdAt"],
      properties: {
        aggregateType: { bsonType: "string" },
        aggregateId: { bsonType: "string" },
        eventType: { bsonType: "string" },
        payload: { bsonType: "object" },
        createdAt: { bsonType: "date" }
      }
    }
  }
});`;

      connectorJson = `{
  "name": "mongodb-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max": "1",
    "mongodb.connection.string": "mongodb://cdc:s3same@mongo-a:27017,mongo-b:27017/?replicaSet=rs0",
    "topic.prefix": "erp_mongo",
    "collection.include.list": "erp_app.outbox_events",
    "capture.mode": "change_streams_update_lookup",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.topic.replacement": "business.events.\${routedByValue}"
  }
}`;
      idempotency = 'unique index on the event id';
      break;
    }

    default:
      throw new Error(`no blueprint for ${engine}`);
  }

  return { ddl, connectorJson, idempotency };
}
