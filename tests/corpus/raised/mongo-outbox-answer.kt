package org.example.kiosk.cdc

/**
 * Answer to "which class for the outbox in MongoDB?" - the router of the relational connectors passes our events through
 * as they are; the one below belongs to the MongoDB connector, and its options begin with `collection.`.
 *
 * Document: { _id, event, ref, topic, body: "{...}", at }
 */
object KioskOutboxConnector {

    const val NAME = "kiosk-outbox"

    fun config(mongoUri: String, user: String, secretRef: String): Map<String, String> = buildMap {
        put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector")
        put("tasks.max", "1")
        put("mongodb.connection.string", mongoUri) // mongodb+srv://kiosk.example.org/
        put("mongodb.user", user)
        put("mongodb.password", secretRef)
        put("topic.prefix", "kiosk")
        put("collection.include.list", "kiosk.events_out")
        put("capture.mode", "change_streams")
        put("snapshot.mode", "no_data")
        put("tombstones.on.delete", "false")

        put("transforms", "out")
        put("transforms.out.type", "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter")
        put("transforms.out.collection.field.event.id", "_id")
        put("transforms.out.collection.field.event.key", "ref")
        put("transforms.out.collection.field.event.payload", "body")
        put("transforms.out.collection.expand.json.payload", "true")
        put("transforms.out.collection.fields.additional.placement", "event:header:eventType")
        put("transforms.out.route.by.field", "topic")
        put("transforms.out.route.topic.replacement", "kiosk.\${routedByValue}")

        put("key.converter", "org.apache.kafka.connect.storage.StringConverter")
        put("value.converter", "org.apache.kafka.connect.json.JsonConverter")
        put("value.converter.schemas.enable", "false")
    }
}
