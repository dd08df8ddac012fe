// Payloads are protobuf bytes; heartbeats need a converter of their own.
import { env } from "node:process";

const converter = "value.converter";

export const sailingOutbox = {
  name: "sailing-outbox",
  config: {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.hostname": env.SAIL_DB_HOST,
    "database.port": "5432",
    "database.user": env.SAIL_DB_USER,
    "database.password": env.SAIL_DB_PASSWORD,
    "database.dbname": "sailing",
    "topic.prefix": "sailing",
    "slot.name": "sailing_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.outbox",
    "heartbeat.interval.ms": "30000",
    "snapshot.mode": "no_data",
    "tombstones.on.delete": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.fields.additional.placement": "type:header,published:header:publishedAt",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    [converter]: "io.debezium.converters.BinaryDataConverter",
    [`${converter}.delegate.converter.type`]: "org.apache.kafka.connect.json.JsonConverter",
    [`${converter}.delegate.converter.type.schemas.enable`]: "false",
  },
};
