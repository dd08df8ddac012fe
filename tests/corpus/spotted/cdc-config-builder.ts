/** Builds what Kafka Connect needs to publish the outbox of a service. */

export interface SourceOptions {
  name: string;
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** outbox table, default "outgoing" */
  table?: string;
  /** default "public" */
  schema?: string;
  topicPrefix?: string;
  slot?: string;
  publication?: string;
  heartbeatMs?: number;
}

export interface RouteOptions {
  /** the column by which events are routed */
  routeBy?: string;
  /** pattern of the topic */
  topicRegex?: string;
  payload?: string;
  /** more columns, as "column:header:name" */
  extra?: string[];
}

export class CdcConfigBuilder {
  static source(o: SourceOptions) {
    return {
      name: o.name,
      config: {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": o.host,
        "database.port": o.port,
        "database.user": o.user,
        "database.password": o.password,
        "database.dbname": o.database,
        "database.server.name": o.name,
        "table.include.list": `${o.schema ?? "public"}.${o.table ?? "outgoing"}`,
        "slot.name": o.slot ?? `${o.name}_slot`,
        "publication.name": o.publication ?? `${o.name}_pub`,
        "plugin.name": "pgoutput",
        "topic.prefix": o.topicPrefix ?? o.name,
        "heartbeat.interval.ms": o.heartbeatMs ?? 10000,
        "tombstones.on.delete": false,
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": false,
        "value.converter.schemas.enable": false,
      },
    };
  }

  static router(o: RouteOptions = {}) {
    // from <x>_outgoing to <x>_stream; no dots, so nothing has to be escaped
    const fallback = "(.*)_outgoing";
    return {
      "transforms": "stream",
      "transforms.stream.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.stream.table.field.event.id": "id",
      "transforms.stream.table.field.event.key": "root_id",
      "transforms.stream.table.field.event.type": o.routeBy ?? "kind",
      "transforms.stream.table.field.event.payload": o.payload ?? "payload",
      "transforms.stream.table.field.event.timestamp": "written_at",
      "transforms.stream.route.topic.regex": o.topicRegex ?? fallback,
      "transforms.stream.route.topic.replacement": "$1_stream",
      "transforms.stream.table.expand.json.payload": true,
      ...(o.extra && { "transforms.stream.table.fields.additional.placement": o.extra.join(",") }),
    };
  }

  static full(source: SourceOptions, route?: RouteOptions) {
    const base = this.source(source);
    return { ...base, config: { ...base.config, ...this.router(route) } };
  }
}
