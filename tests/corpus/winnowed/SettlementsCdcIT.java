package org.example.settlements;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.testcontainers.containers.PostgreSQLContainer;

/** Base of the integration tests: the poller is off, Debezium publishes. */
public abstract class SettlementsCdcIT {

    protected static final PostgreSQLContainer<?> PG = Containers.postgresWithLogicalWal();
    private static final String NAME = "settlements-outbox";
    private static boolean registered;

    /** The same options as deploy/cdc/settlements-outbox.json, pointed at the test network. */
    private static String connectorConfig() {
        return """
                {
                  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                  "tasks.max": "1",
                  "plugin.name": "pgoutput",
                  "database.hostname": "pg",
                  "database.port": "5432",
                  "database.user": "%s",
                  "database.password": "%s",
                  "database.dbname": "%s",
                  "topic.prefix": "settlements-db",
                  "slot.name": "settlements_outbox",
                  "publication.name": "settlements_outbox",
                  "publication.autocreate.mode": "filtered",
                  "table.include.list": "public.outbox_messages",
                  "snapshot.mode": "initial",
                  "tombstones.on.delete": "false",
                  "poll.interval.ms": "120",
                  "transforms": "outbox",
                  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
                  "transforms.outbox.route.by.field": "topic",
                  "transforms.outbox.route.topic.replacement": "${routedByValue}",
                  "transforms.outbox.route.tombstone.on.empty.payload": "false",
                  "transforms.outbox.table.field.event.id": "id",
                  "transforms.outbox.table.field.event.key": "message_key",
                  "transforms.outbox.table.field.event.payload": "payload",
                  "transforms.outbox.table.expand.json.payload": "false",
                  "transforms.outbox.table.fields.additional.placement": "id:header:eventId,event_type:header:eventType,correlation_id:header:correlationId",
                  "transforms.outbox.table.op.invalid.behavior": "warn",
                  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
                  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
                  "header.converter": "org.apache.kafka.connect.storage.SimpleHeaderConverter"
                }
                """.formatted(PG.getUsername(), PG.getPassword(), PG.getDatabaseName());
    }

    protected static synchronized void registerOnce() throws IOException, InterruptedException {
        if (registered) {
            return;
        }
        HttpClient http = HttpClient.newHttpClient();
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(Containers.connectUrl() + "/connectors/" + NAME + "/config"))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(connectorConfig()))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new IllegalStateException("not registered: " + answer.body());
        }
        await().atMost(Duration.ofSeconds(45)).until(() -> Containers.connectorRuns(NAME));
        registered = true;
    }
}
