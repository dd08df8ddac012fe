package by.example.solid.outbox;

import io.debezium.connector.postgresql.PostgresConnectorConfig;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.util.Properties;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class EmbeddedOutboxConfig {

    @Value("${outbox.offset-file:/tmp/outbox-offsets.dat}")
    private String offsetFile;

    @Bean
    public static Properties outboxEngineProperties() {
        Properties props = new Properties();
        props.setProperty("name", "outbox-engine");

        // connector
        props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        props.setProperty("tasks.max", "1");
        props.setProperty(PostgresConnectorConfig.HOSTNAME.name(), "postgres");
        props.setProperty(PostgresConnectorConfig.PORT.name(), "5433");
        props.setProperty(PostgresConnectorConfig.USER.name(), "user");
        props.setProperty(PostgresConnectorConfig.PASSWORD.name(), "password");
        props.setProperty(PostgresConnectorConfig.DATABASE_NAME.name(), "solid");
        props.setProperty(PostgresConnectorConfig.TABLE_INCLUDE_LIST.name(), "public.outbox_entries");
        props.setProperty(PostgresConnectorConfig.PLUGIN_NAME.name(), "pgoutput");

        // router: everything to one topic
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.route.topic.replacement", "solid.events");
        props.setProperty("transforms.outbox.route.by.field", "aggregatetype");
        props.setProperty("transforms.outbox.table.field.event.key", "aggregateid");
        props.setProperty("transforms.outbox.table.field.event.type", "type");
        props.setProperty("transforms.outbox.table.field.event.payload", "payload");

        props.setProperty("topic.prefix", "solid");
        return props;
    }

    @Bean(destroyMethod = "close")
    public DebeziumEngine<ChangeEvent<String, String>> outboxEngine(Properties outboxEngineProperties, OutboxForwarder forwarder) {
        return DebeziumEngine.create(Json.class)
                .using(outboxEngineProperties)
                .notifying(forwarder::forward)
                .build();
    }
}
