package org.example.rental.cdc

/** The relay of the rental service; [config] goes to PUT /connectors/rental-outbox/config. */
class MongoOutboxConnector(
    private val uri: String,
    private val prefix: String = "rental",
) {
    fun config(): Map<String, String> = mapOf(
        "connector.class" to "io.debezium.connector.mongodb.MongoDbConnector",
        "tasks.max" to "1",
        "mongodb.connection.string" to uri,
        "topic.prefix" to prefix,
        // literal names, no regular expressions
        "filters.match.mode" to "literal",
        "collection.include.list" to "$prefix.outbox",
        "capture.mode" to "change_streams",
        "cursor.pipeline" to """[{"${'$'}match": {"operationType": {"${'$'}in": ["insert"]}}}]""",
        "snapshot.mode" to "no_data",
        "tombstones.on.delete" to "false",
        "transforms" to "outbox",
        "transforms.outbox.type" to "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
        "transforms.outbox.collection.expand.json.payload" to "true",
        "transforms.outbox.collection.fields.additional.placement" to "type:header:eventType",
        "transforms.outbox.route.topic.replacement" to "$prefix.${'$'}{routedByValue}.events",
        "key.converter" to "org.apache.kafka.connect.storage.StringConverter",
        "value.converter" to "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable" to "false",
    )
}
