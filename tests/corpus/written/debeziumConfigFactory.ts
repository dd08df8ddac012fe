/**
 * Builds the Kafka Connect request for a service's outbox table.
 * Sample code for chapter 9.
 */
export interface SourceOptions {
  connectorName: string;
  dbHost: string;
  dbPort: number;
  dbName: string;
  dbUser: string;
  dbPassword: string;
  tableName?: string;
  schemaName?: string;
  topicPrefix?: string;
  slotName?: string;
  publicationName?: string;
  heartbeatIntervalMs?: number;
}

export interface RoutingOptions {
  /** column that decides the topic */
  routeByField?: string;
  routeTopicRegex?: string;
  payloadField?: string;
  additionalFields?: string[];
}

export class DebeziumConfigFactory {
  static source(o: SourceOptions): object {
    return {
      name: o.connectorName,
      config: {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": o.dbHost,
        "database.port": o.dbPort,
        "database.user": o.dbUser,
        "database.password": o.dbPassword,
        "database.dbname": o.dbName,
        "database.server.name": o.connectorName,
        "table.include.list": `${o.schemaName ?? "public"}.${o.tableName ?? "outbox"}`,
        "slot.name": o.slotName ?? `${o.connectorName}_slot`,
        "publication.name": o.publicationName ?? `${o.connectorName}_publication`,
        "plugin.name": "pgoutput",
        "topic.prefix": o.topicPrefix ?? o.connectorName,
        "heartbeat.interval.ms": o.heartbeatIntervalMs ?? 10000,
        "tombstones.on.delete": false,
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": false,
        "value.converter.schemas.enable": false,
      },
    };
  }

  static router(o: RoutingOptions = {}): object {
    // tables are called <something>_outbox
    const regex = "(.*)_outbox";

    return {
      transforms: "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": o.routeByField ?? "event_type",
      "transforms.outbox.table.field.event.payload": o.payloadField ?? "payload",
      "transforms.outbox.table.field.event.timestamp": "created_at",
      "transforms.outbox.route.topic.regex": o.routeTopicRegex ?? regex,
      "transforms.outbox.route.topic.replacement": "$1_events",
      "transforms.outbox.table.expand.json.payload": true,
      ...(o.additionalFields && {
        "transforms.outbox.table.fields.additional.placement": o.additionalFields.join(","),
      }),
    };
  }

  static request(source: SourceOptions, routing?: RoutingOptions): object {
    const base = this.source(source) as { config: object };
    return { ...base, config: { ...base.config, ...this.router(routing) } };
  }
}
