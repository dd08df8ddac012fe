// Registers the outbox source of the ferry line and the sink that copies every kind of event into OpenSearch.
import axios from "axios";

const connect = axios.create({ baseURL: process.env.CONNECT_URL ?? "http://connect:8083" });

type ConnectorConfig = Record<string, string>;

const stringConverters: ConnectorConfig = {
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
};

export const outboxSource: ConnectorConfig = {
  ...stringConverters,
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "plugin.name": "pgoutput",
  "database.hostname": "ferry-db",
  "database.port": "5432",
  "database.user": "ferry_cdc",
  "database.password": process.env.FERRY_CDC_PASSWORD ?? "",
  "database.dbname": "ferry",
  "topic.prefix": "ferry",
  "table.include.list": "public.outbox",
  "publication.autocreate.mode": "filtered",
  "slot.name": "ferry_outbox",
  transforms: "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.expand.json.payload": "true",
};

export const searchSink: ConnectorConfig = {
  ...stringConverters,
  "connector.class": "io.aiven.kafka.connect.opensearch.OpensearchSinkConnector",
  "tasks.max": "2",
  "topics.regex": "outbox\\.event\\..+",
  "connection.url": "https://search.ferry.internal:9200",
  "connection.username": "sink",
  "connection.password": process.env.SEARCH_PASSWORD ?? "",
  "key.ignore": "true",
  "schema.ignore": "true",
  "errors.tolerance": "all",
  "errors.deadletterqueue.topic.name": "outbox.event.dead",
  "errors.deadletterqueue.topic.replication.factor": "3",
  "errors.deadletterqueue.context.headers.enable": "true",
};

async function put(name: string, config: ConnectorConfig): Promise<void> {
  await connect.put(`/connectors/${name}/config`, config);
  console.info("put %s", name);
}

await put("ferry-outbox", outboxSource);
await put("ferry-search", searchSink);
