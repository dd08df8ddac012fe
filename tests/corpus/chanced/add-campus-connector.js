#!/usr/bin/env node
// Registers the capture of the campus database. CDC_DB_TYPE: mysql | postgres | mongodb | sqlserver
const axios = require("axios");
require("dotenv").config({ path: ".env.local" });

const TYPE = (process.env.CDC_DB_TYPE || "mysql").toLowerCase();
const { DB_HOST = "localhost", DB_PORT = "3306", DB_USER = "cdc", DB_PASSWORD = "cdc" } = process.env;
const DB_NAME = process.env.DB_NAME || "campus";
const PREFIX = process.env.TOPIC_PREFIX || "campus";
const CONNECT = process.env.KAFKA_CONNECT_URL || "http://localhost:8083";
const TABLES = (process.env.TARGET_TABLES || "accreditation,lecturer").split(",").map((t) => t.trim());

const SHARED = {
  transforms: "unwrap",
  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.unwrap.drop.tombstones": "false",
  "transforms.unwrap.delete.handling.mode": "rewrite",
  "snapshot.mode": "when_needed",
  "snapshot.locking.mode": "none",
  "decimal.handling.mode": "string",
  "include.schema.changes": "false",
};

function includeList(tables) {
  if (TYPE === "postgres") return tables.map((t) => `public.${t}`).join(",");
  if (TYPE === "mongodb") return tables.join(",");
  return tables.map((t) => `${DB_NAME}.${t}`).join(",");
}

function build(tables) {
  const list = includeList(tables);
  const config = {
    "tasks.max": "1",
    "topic.prefix": PREFIX,
    ...SHARED,
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": `ddl.${PREFIX}`,
    "schema.history.internal.store.only.captured.tables.ddl": "true",
  };
  const jdbc = { "database.hostname": DB_HOST, "database.port": DB_PORT, "database.user": DB_USER, "database.password": DB_PASSWORD };
  switch (TYPE) {
    case "postgres":
      Object.assign(config, jdbc);
      config["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector";
      config["database.dbname"] = DB_NAME;
      config["plugin.name"] = "pgoutput";
      config["table.include.list"] = list;
      break;
    case "mongodb":
      config["connector.class"] = "io.debezium.connector.mongodb.MongoDbConnector";
      config["mongodb.connection.string"] = `mongodb://${DB_USER}:${encodeURIComponent(DB_PASSWORD)}@${DB_HOST}:${DB_PORT}`;
      config["database.include.list"] = DB_NAME;
      config["collection.include.list"] = list;
      break;
    case "sqlserver":
      Object.assign(config, jdbc);
      config["connector.class"] = "io.debezium.connector.sqlserver.SqlServerConnector";
      config["database.names"] = DB_NAME;
      config["table.include.list"] = list;
      break;
    default:
      Object.assign(config, jdbc);
      config["connector.class"] = "io.debezium.connector.mysql.MySqlConnector";
      config["database.server.id"] = String(184000 + (Date.now() % 100000));
      config["database.include.list"] = DB_NAME;
      config["table.include.list"] = list;
      config["bigint.unsigned.handling.mode"] = "long";
  }
  return { name: "campus-cdc", config };
}

axios.post(`${CONNECT}/connectors`, build(TABLES)).then(() => console.log("registered"));
