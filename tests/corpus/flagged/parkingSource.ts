import { KafkaConnectClient } from "./connectClient";

export interface ParkingSourceOptions {
  uri: string;
  prefix: string;
}

/** Change stream of the parking database; large floor plans are left out. */
export function parkingSource({ uri, prefix }: ParkingSourceOptions): Record<string, string> {
  return {
    "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
    "mongodb.connection.string": uri,
    "topic.prefix": prefix,
    "capture.scope": "database",
    "database.include.list": "parking",
    "collection.include.list": "parking.bay,parking.ticket",
    "capture.mode": "change_streams_update_full_with_pre_image",
    "cursor.oversize.handling.mode": "skip",
    "snapshot.mode": "when_needed",
    "heartbeat.interval.ms": "15000",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
  };
}

export async function deployParkingSource(client: KafkaConnectClient): Promise<void> {
  const config = parkingSource({ uri: process.env.PARKING_MONGO_URI!, prefix: "parking" });
  await client.putConfig("parking-source", config);
  const { state } = await client.waitForTask("parking-source", 0, { timeoutMs: 60_000 });
  if (state !== "RUNNING") {
    throw new Error(`parking-source is ${state}`);
  }
}
