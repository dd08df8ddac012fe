import { GenericContainer, Network, StartedNetwork, StartedTestContainer, Wait } from "testcontainers";
import { Kafka } from "kafkajs";
import { Client } from "pg";

// recipes service: outbox row -> topic "recipes.<aggregate>"
describe("outbox relay", () => {
  let net: StartedNetwork;
  const started: StartedTestContainer[] = [];

  beforeAll(async () => {
    net = await new Network().start();
    const pg = await new GenericContainer("postgres:16")
      .withNetwork(net)
      .withNetworkAliases("pg")
      .withEnvironment({ POSTGRES_USER: "recipes", POSTGRES_PASSWORD: "recipes", POSTGRES_DB: "recipes" })
      .withCommand(["postgres", "-c", "wal_level=logical", "-c", "fsync=off"])
      .withExposedPorts({ container: 5432, host: 25432 })
      .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
      .start();
    const kafka = await new GenericContainer("artifacts.example.org/ci/kafka-kraft:3.8")
      .withNetwork(net)
      .withNetworkAliases("kafka")
      .withExposedPorts({ container: 9094, host: 9094 })
      .start();
    const connect = await new GenericContainer("debezium/connect:2.7.3.Final")
      .withNetwork(net)
      .withEnvironment({
        BOOTSTRAP_SERVERS: "kafka:9092",
        GROUP_ID: "recipes",
        CONFIG_STORAGE_TOPIC: "rc",
        OFFSET_STORAGE_TOPIC: "ro",
        STATUS_STORAGE_TOPIC: "rs",
      })
      .withExposedPorts(8083)
      .withWaitStrategy(Wait.forHttp("/connectors", 8083))
      .start();
    started.push(connect, kafka, pg);

    const db = new Client("postgres://recipes:recipes@localhost:25432/recipes");
    await db.connect();
    await db.query(`CREATE TABLE outbox_messages (
      id uuid PRIMARY KEY, aggregate text NOT NULL, aggregate_id text NOT NULL,
      event_type text NOT NULL, occurred_at timestamptz NOT NULL, body jsonb NOT NULL)`);
    await db.end();

    const res = await fetch(`http://${connect.getHost()}:${connect.getMappedPort(8083)}/connectors/recipes/config`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "pg",
        "database.port": 5432,
        "database.user": "recipes",
        "database.password": "recipes",
        "database.dbname": "recipes",
        "topic.prefix": "recipes",
        "plugin.name": "pgoutput",
        "publication.autocreate.mode": "filtered",
        "table.include.list": "public.outbox_messages",
        transforms: "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.key": "aggregate_id",
        "transforms.outbox.table.field.event.payload": "body",
        "transforms.outbox.route.by.field": "aggregate",
        "transforms.outbox.route.topic.replacement": "recipes.${routedByValue}",
        "transforms.outbox.table.fields.additional.placement": "event_type:header:type,occurred_at:header",
        "transforms.outbox.table.expand.json.payload": true,
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": false,
      }),
    });
    expect(res.status).toBe(201);
  }, 180_000);

  afterAll(() => Promise.all(started.map((c) => c.stop())).then(() => net.stop()));

  it("publishes a cooked recipe", async () => {
    const consumer = new Kafka({ brokers: ["localhost:9094"] }).consumer({ groupId: "jest" });
    await consumer.connect();
    await consumer.subscribe({ topic: "recipes.recipe", fromBeginning: true });
    // ... insert and wait for the message
  });
});
