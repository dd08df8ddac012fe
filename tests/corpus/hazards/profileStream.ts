// Profiles: every change event needs the whole document as it was right after the
// change (MongoDB 7, changeStreamPreAndPostImages is switched on for the collection).
export const profileStream: Record<string, string> = {
  "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
  "tasks.max": "1",
  "mongodb.connection.string": "${env:PROFILE_MONGO_URI}",
  "topic.prefix": "profiles",
  "collection.include.list": "people.profile",
  "capture.mode": "change_streams",
  "capture.mode.full.update.type": "post_image",
  "snapshot.mode": "initial",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
};

export async function deploy(connectUrl: string): Promise<void> {
  const res = await fetch(`${connectUrl}/connectors/profile-stream/config`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(profileStream),
  });
  if (!res.ok) {
    throw new Error(`${res.status} ${await res.text()}`);
  }
}
