package org.example.members.cdc;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.util.Properties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class RowEngine {

    private final OutboxRows rows;

    public RowEngine(OutboxRows rows) {
        this.rows = rows;
    }

    /** Deletions of outbox rows arrive as rows too, marked with __deleted; OutboxRows archives them. */
    @Bean
    public DebeziumEngine<ChangeEvent<String, String>> rowEngine() {
        Properties p = new Properties();
        p.setProperty("name", "member-outbox");
        p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        p.setProperty("offset.storage.file.filename", "offset.dat");
        p.setProperty("offset.flush.interval.ms", "60000");
        p.setProperty("database.hostname", "localhost");
        p.setProperty("database.port", "5438");
        p.setProperty("database.user", "postgres");
        p.setProperty("database.password", "test");
        p.setProperty("database.dbname", "member-service");
        p.setProperty("database.server.name", "member-service");
        p.setProperty("topic.prefix", "cdc");
        p.setProperty("table.include.list", "public.outbox");
        p.setProperty("plugin.name", "pgoutput");
        p.setProperty("slot.name", "member_outbox_slot");
        p.setProperty("publication.name", "member_outbox_publication");
        p.setProperty("publication.autocreate.mode", "filtered");
        p.setProperty("key.converter", "org.apache.kafka.connect.json.JsonConverter");
        p.setProperty("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        p.setProperty("transforms", "unwrap");
        p.setProperty("transforms.unwrap.type", "io.debezium.transforms.ExtractNewRecordState");
        p.setProperty("transforms.unwrap.drop.tombstones", "false");
        p.setProperty("transforms.unwrap.delete.handling.mode", "rewrite");
        p.setProperty("transforms.unwrap.add.fields", "op,source.ts_ms");
        p.setProperty("transforms.unwrap.add.headers", "op");

        return DebeziumEngine.create(Json.class).using(p).notifying(rows::accept).build();
    }
}
