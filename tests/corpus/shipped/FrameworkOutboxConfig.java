package org.example.framework.outbox.config;

import io.debezium.connector.postgresql.PostgresConnectorConfig;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;

import java.util.Properties;

@org.springframework.context.annotation.Configuration
public class FrameworkOutboxConfig {

    @Value("${cdc.offset-file:/tmp/cdc-offsets.dat}")
    private String offsetFile;

    @Bean
    public static Properties outboxEngineProperties() {
        Properties props = new Properties();

        // Who the connector is
        props.setProperty("name", "framework-outbox");

        // The connector itself
        props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        props.setProperty("tasks.max", "1");

        props.setProperty(PostgresConnectorConfig.HOSTNAME.name(), "postgres");
        props.setProperty(PostgresConnectorConfig.PORT.name(), "5434");
        props.setProperty(PostgresConnectorConfig.USER.name(), "user");
        props.setProperty(PostgresConnectorConfig.PASSWORD.name(), "password");
        props.setProperty(PostgresConnectorConfig.DATABASE_NAME.name(), "appdb");

        // === Tables ===
        props.setProperty(PostgresConnectorConfig.TABLE_INCLUDE_LIST.name(), "public.outbox_records");

        // === Decoding ===
        props.setProperty(PostgresConnectorConfig.PLUGIN_NAME.name(), "pgoutput");

        // === Outbox EventRouter SMT ===
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.route.topic.replacement", "framework.events");
        props.setProperty("transforms.outbox.route.by.field", "aggregatetype");
        props.setProperty("transforms.outbox.table.field.event.key", "aggregateid");
        props.setProperty("transforms.outbox.table.field.event.type", "type");
        props.setProperty("transforms.outbox.table.field.event.payload", "payload");

        // Prefix of Debezium's own topics
        props.setProperty("topic.prefix", "framework");

        return props;
    }
}
