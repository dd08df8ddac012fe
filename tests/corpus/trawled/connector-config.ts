/**
 * Builds the connector configuration for CDC based relaying of the outbox.
 */
export interface SourceOptions {
  name: string;
  host: string;
  port: number;
  db: string;
  user: string;
  password: string;
  table?: string;
  schema?: string;
  prefix?: string;
  slot?: string;
  publication?: string;
  heartbeatMs?: number;
}

export interface RouteOptions {
  /** Field to route by */
  routeByField?: string;
  routeTopicRegex?: string;
  payloadField?: string;
  extraFields?: string[];
}

export class ConnectorConfig {
  static source(o: SourceOptions): object {
    return {
      name: o.name,
      config: {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": o.host,
        "database.port": o.port,
        "database.user": o.user,
        "database.password": o.password,
        "database.dbname": o.db,
        "database.server.name": o.name,
        "table.include.list": `${o.schema ?? "public"}.${o.table ?? "outbox"}`,
        "slot.name": o.slot ?? `${o.name}_slot`,
        "publication.name": o.publication ?? `${o.name}_publication`,
        "plugin.name": "pgoutput",
        "topic.prefix": o.prefix ?? o.name,
        "heartbeat.interval.ms": o.heartbeatMs ?? 10000,
        "tombstones.on.delete": false,
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": false,
        "value.converter.schemas.enable": false,
      },
    };
  }

  static router(r: RouteOptions = {}): object {
    // an underscore needs no escaping
    const defaultRegex = "(.*)_outbox";

    return {
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": r.routeByField ?? "event_type",
      "transforms.outbox.table.field.event.payload": r.payloadField ?? "payload",
      "transforms.outbox.route.topic.regex": r.routeTopicRegex ?? defaultRegex,
      "transforms.outbox.route.topic.replacement": "$1_events",
      "transforms.outbox.table.expand.json.payload": true,
      ...(r.extraFields && {
        "transforms.outbox.table.fields.additional.placement": r.extraFields.join(","),
      }),
    };
  }

  static full(o: SourceOptions, r?: RouteOptions): object {
    const source = this.source(o) as { config: object };
    return { ...source, config: { ...source.config, ...this.router(r) } };
  }

  static setupSql(o: SourceOptions): string {
    const publication = o.publication ?? `${o.name}_publication`;
    return `
CREATE PUBLICATION ${publication} FOR TABLE ${o.schema ?? "public"}.${o.table ?? "outbox"};
SELECT pg_create_logical_replication_slot('${o.slot ?? `${o.name}_slot`}', 'pgoutput');
ALTER USER ${o.user} WITH REPLICATION;
`.trim();
  }
}
