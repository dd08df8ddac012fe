import { MongoClient, ObjectId } from "mongodb";

/** Writes the event in the transaction of the caller. */
export async function appendEvent(
  client: MongoClient,
  aggregate: { type: string; id: string },
  type: string,
  payload: Record<string, unknown>,
): Promise<void> {
  await client.db("parking").collection("outbox").insertOne({
    _id: new ObjectId(),
    aggregatetype: aggregate.type,
    aggregateid: aggregate.id,
    type,
    createdAt: new Date(),
    payload,
  });
}

/** Registered by the deployment job. */
export const outboxConnector = {
  name: "parking-outbox",
  config: {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "mongodb.connection.string": process.env.PARKING_MONGO_URI ?? "mongodb://mongo:27017/?replicaSet=rs0",
    "topic.prefix": "parking",
    "collection.include.list": "parking.outbox",
    "skipped.operations": "u,d",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    transforms: "outbox",
    "transforms.outbox.type": "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
    "transforms.outbox.collection.field.event.timestamp": "createdAt",
    "transforms.outbox.collection.fields.additional.placement": "type:header:eventType",
  },
};

export async function register(connectUrl: string): Promise<void> {
  const res = await fetch(`${connectUrl}/connectors`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(outboxConnector),
  });
  if (!res.ok && res.status !== 409) throw new Error(await res.text());
}
