function need(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);

  return value;
}

const CONNECT_URL = `http://${need("HOST_NAME")}:${need("CONNECT_PORT")}`;
const SERVICE = need("SERVICE_NAME");
const SQL_SAFE_SERVICE = SERVICE.replaceAll("-", "_");

const SETTINGS = {
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "pg",
  "database.port": "5432",
  "database.user": need("PG_USER"),
  "database.password": need("PG_PASSWORD"),
  "database.dbname": SERVICE,
  "plugin.name": "pgoutput",
  "snapshot.mode": "initial",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "public.outbox_record",
  transforms: "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.route.by.field": "event_type",
  "transforms.outbox.route.topic.replacement": "${routedByValue}",
  "transforms.outbox.table.expand.json.payload": "true",
  "topic.prefix": SERVICE,
  "slot.name": SQL_SAFE_SERVICE,
  "publication.name": SQL_SAFE_SERVICE,
} as const satisfies Record<string, string>;

const waitForConnect = async (): Promise<void> => {
  let reason = "no answer";

  for (let attempt = 1; attempt <= 10; attempt++) {
    try {
      const answer = await fetch(`${CONNECT_URL}/connector-plugins`);
      if (answer.ok) return;

      reason = `HTTP ${answer.status}`;
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }

    await Bun.sleep(1000);
  }

  throw new Error(`Nothing to talk to at ${CONNECT_URL}: ${reason}`);
};

await waitForConnect();

const answer = await fetch(`${CONNECT_URL}/connectors/${SERVICE}/config`, {
  method: "PUT",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(SETTINGS),
});

if (!answer.ok) {
  throw new Error(`${SERVICE} was refused: HTTP ${answer.status} ${await answer.text()}`);
}

console.log(`✅ ${SERVICE} registered`);
