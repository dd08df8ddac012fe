package com.example.rental.it

import org.testcontainers.containers.GenericContainer

object RentalCdcContainers {
    lateinit var connect: GenericContainer<*>

    fun registerConnector() {
        val body = """
            {
                "name": "wallet-outbox-connector",
                "config": {
                    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                    "topic.prefix": "wallet",
                    "database.hostname": "pg",
                    "database.port": "5432",
                    "database.dbname": "db2",
                    "database.user": "user2",
                    "database.password": "pass2",
                    "database.server.name": "pg",
                    "plugin.name": "pgoutput",
                    "schema.include.list": "public",
                    "table.include.list": "public.wallet_outbox_events",
                    "snapshot.mode": "initial",
                    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
                    "key.converter.schemas.enable": "false",
                    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                    "value.converter.schemas.enable": "false",
                    "transforms": "unwrap",
                    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
                    "transforms.unwrap.drop.tombstones": "true"
                }
            }
        """.trimIndent()

        connect.execInContainer(
            "curl", "-X", "POST",
            "-H", "Content-Type: application/json",
            "-d", body,
            "http://localhost:8083/connectors"
        )
    }
}
