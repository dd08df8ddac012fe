package shop.basket

import com.fasterxml.jackson.module.kotlin.jacksonObjectMapper
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.TestInstance
import java.net.URI
import java.net.http.*

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BasketTopologyE2ETest : Containers() {

    private val mapper = jacksonObjectMapper()
    private val http = HttpClient.newHttpClient()
    private val connectUrl get() = "http://${connect.host}:${connect.getMappedPort(8083)}"

    @BeforeAll
    fun connectors() {
        // topic: baskets-cdc.mall.baskets
        registerConnector("baskets", "baskets-cdc", "mall.baskets")
    }

    private fun registerConnector(name: String, topicPrefix: String, collection: String) {
        val config = mapper.writeValueAsString(mapOf(
            "name" to name,
            "config" to mapOf(
                "connector.class" to "io.debezium.connector.mongodb.MongoDbConnector",
                // network alias inside docker
                "mongodb.connection.string" to "mongodb://mongo:27017/?replicaSet=rs0",
                "topic.prefix" to topicPrefix,
                "database.include.list" to "mall",
                "collection.include.list" to collection,
                // whole document on updates
                "capture.mode" to "change_streams_update_full",
                // only documents which the test itself inserts
                "snapshot.mode" to "no_data",
                "topic.creation.default.replication.factor" to "1",
                "topic.creation.default.partitions" to "1",
                "key.converter" to "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable" to "false",
                "value.converter" to "org.apache.kafka.connect.json.JsonConverter",
                "value.converter.schemas.enable" to "false",
                // drop.tombstones and delete.handling.mode are one option since 3.x
                "transforms" to "unwrap",
                "transforms.unwrap.type" to
                        "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState",
                "transforms.unwrap.delete.tombstone.handling.mode" to "rewrite",
            )
        ))
        val response = http.send(
            HttpRequest.newBuilder()
                .uri(URI.create("$connectUrl/connectors"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(config))
                .build(),
            HttpResponse.BodyHandlers.ofString()
        )
        assertTrue(response.statusCode() in 200..201, "not registered: ${response.body()}")
    }
}
