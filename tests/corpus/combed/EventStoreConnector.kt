package org.example.pantry.infra

import org.slf4j.LoggerFactory
import org.springframework.beans.factory.InitializingBean
import org.springframework.http.HttpStatus.CONFLICT
import org.springframework.http.HttpStatus.CREATED
import org.springframework.stereotype.Component
import org.springframework.web.client.RestClient

/** Registers the connector of the event store at the start. The table is append-only. */
@Component
class EventStoreConnector(private val settings: ConnectSettings) : InitializingBean {

    private val log = LoggerFactory.getLogger(javaClass)

    override fun afterPropertiesSet() {
        val request = """
            {
              "name": "pantry-events",
              "config": {
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                "database.hostname": "${settings.databaseHost}",
                "database.port": "5432",
                "database.user": "${settings.user}",
                "database.password": "${settings.password}",
                "database.dbname": "${settings.database}",
                "database.server.name": "pantry",
                "plugin.name": "pgoutput",
                "slot.name": "pantry_events_slot",
                "publication.autocreate.mode": "filtered",
                "table.include.list": "public.stored_events",
                "topic.prefix": "pantry",
                "transforms": "unwrap",
                "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
                "transforms.unwrap.drop.tombstones": "true",
                "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable": "false",
                "value.converter.schemas.enable": "false"
              }
            }
        """.trimIndent()

        RestClient.create("http://${settings.host}:${settings.port}")
            .post()
            .uri("/connectors")
            .header("Content-Type", "application/json")
            .body(request)
            .retrieve()
            .onStatus(CREATED::equals) { _, _ -> log.info("connector created") }
            .onStatus(CONFLICT::equals) { _, _ -> log.warn("connector was there already") }
            .toBodilessEntity()
    }
}
