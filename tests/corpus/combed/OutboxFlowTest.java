package org.example.resume.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.testing.testcontainers.Connector;
import io.debezium.testing.testcontainers.ConnectorConfiguration;
import io.debezium.testing.testcontainers.DebeziumContainer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.testcontainers.containers.PostgreSQLContainer;

class OutboxFlowTest extends ContainersBase {

    static final PostgreSQLContainer<?> POSTGRES = postgres();
    static final DebeziumContainer DEBEZIUM = debezium("quay.io/debezium/connect:2.7.4.Final");

    @Autowired
    private OutboxRows rows;
    @Autowired
    private ObjectMapper json;
    private BlockingQueue<ConsumerRecord<String, String>> received;

    @BeforeAll
    static void register() {
        DEBEZIUM.registerConnector("resume-outbox", ConnectorConfiguration.create()
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("database.hostname", POSTGRES.getNetworkAliases().get(0))
                .with("database.port", POSTGRES.getExposedPorts().get(0))
                .with("database.user", POSTGRES.getUsername())
                .with("database.password", POSTGRES.getPassword())
                .with("database.dbname", POSTGRES.getDatabaseName())
                .with("plugin.name", "pgoutput")
                .with("database.server.name", "resume")
                .with("key.converter.schemas.enable", false)
                .with("value.converter.schemas.enable", false)
                .with("transforms", "unwrap")
                .with("transforms.unwrap.type", "io.debezium.transforms.ExtractNewRecordState")
                .with("value.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("key.converter", "org.apache.kafka.connect.json.JsonConverter")
                .with("table.include.list", "public.outbox")
                .with("slot.name", "resume_slot")
                .with("topic.prefix", "resume"));
    }

    @Test
    void rowArrivesAsRow() throws Exception {
        var row = rows.save(OutboxRow.of("ResumeUploaded", "{\"id\": 4}"));
        received = listen("resume.public.outbox");
        var record = received.poll(20, TimeUnit.SECONDS);
        assertThat(record).isNotNull();
        assertThat(json.readTree(record.value()).get("id").asText()).isEqualTo(row.getId().toString());
    }
}
