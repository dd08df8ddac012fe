// node scripts/register.ts : registers the source for the database of .env
const DB = process.env.CDC_DB_TYPE ?? "mysql";
const PREFIX = process.env.TOPIC_PREFIX ?? "rides";
const host = process.env.DB_HOST!;

const base: { name: string; config: Record<string, string> } = {
  name: `${PREFIX}-source`,
  config: {
    "topic.prefix": PREFIX,
    "tasks.max": "1",
    "include.schema.changes": "true",
    "snapshot.mode": "initial",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": `schema-changes.${PREFIX}`,
    "schema.history.internal.consumer.security.protocol": "PLAINTEXT",
    "schema.history.internal.producer.security.protocol": "PLAINTEXT",
    "schema.history.internal.store.only.captured.tables.ddl": "true",
  },
};

switch (DB) {
  case "mongodb":
    base.config["connector.class"] = "io.debezium.connector.mongodb.MongoDbConnector";
    base.config["mongodb.connection.string"] =
      `mongodb://${process.env.DB_USER}:${encodeURIComponent(process.env.DB_PASSWORD!)}@${host}:27017`;
    base.config["database.include.list"] = process.env.DB_NAME!;
    base.config["collection.include.list"] = process.env.TABLES!;
    break;

  case "mysql":
  default:
    base.config["connector.class"] = "io.debezium.connector.mysql.MySqlConnector";
    base.config["database.hostname"] = host;
    base.config["database.port"] = "3306";
    base.config["database.user"] = process.env.DB_USER!;
    base.config["database.password"] = process.env.DB_PASSWORD!;
    base.config["database.server.id"] = "184990";
    base.config["database.include.list"] = process.env.DB_NAME!;
    base.config["table.include.list"] = process.env.TABLES!;
    break;
}

await fetch(`${process.env.CONNECT_URL}/connectors`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(base),
});
