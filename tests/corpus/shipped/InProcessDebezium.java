package com.example.demo.common.cdc;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

@Configuration
@Profile("inProcessDebezium")
public class InProcessDebezium {

    @Bean
    public io.debezium.config.Configuration outboxConnector() {

        return io.debezium.config.Configuration.create()
                // the connector and where it keeps its position
                .with("name", "notes-outbox-connector")
                .with("connector.class", "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage.topic", "notes_demo_offsets")
                .with("bootstrap.servers", "localhost:9092")
                .with("offset.storage.partitions", 3)
                .with("offset.storage.replication.factor", -1)
                .with("offset.storage", "org.apache.kafka.connect.storage.KafkaOffsetBackingStore")
//                .with("offset.storage.file.filename", "/home/me/notes-demo/src/main/resources/offsets.dat")
                .with("offset.flush.interval.ms", "60000")
                .with("cleanup.policy", "compact")
                // the database
                .with("database.hostname", "localhost")
                .with("database.port", "5432")
                .with("database.user", "postgres")
                .with("database.password", "postgres")
                .with("database.dbname", "postgres")
                .with("database.server.name", "notesserver")
                .with("schema.include.list", "public")
                .with("table.include.list", "public.outboxnote")
                // events of the outbox table only, not of all tables
                .with("include.schema.changes", "false")
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.route.topic.replacement", "${routedByValue}")
                .with("transforms.outbox.table.field.event.id", "id")
                .with("transforms.outbox.table.field.event.key", "aggregate_id")
                .with("transforms.outbox.table.field.event.payload", "payload")
                .with("transforms.outbox.table.field.event.payload.id", "aggregate_id")
                .with("transforms.outbox.route.by.field", "topic_name")
                .with("transforms.outbox.table.fields.additional.placement", "topic_name:header:type")
                .with("topic.prefix", "nt")
                .with("plugin.name", "pgoutput")
                .with("schema.history.internal.kafka.bootstrap.servers", "localhost:9092")
                .with("schema.history.internal.kafka.topic", "schema-changes.notes")

//                .with("database.history", "io.debezium.relational.history.FileDatabaseHistory")
//                .with("database.history.file.filename", "/home/me/notes-demo/src/main/resources/dbhistory.dat")
                .build();
    }
}
