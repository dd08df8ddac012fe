package org.example.strangler.config;

import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** MySQL of the monolith to the new catalogue service, engine inside the service, no Kafka Connect. */
@Configuration
public class OffsetsInDatabaseConfig {

    @Value("${strangler.source.host}")
    private String host;

    @Value("${strangler.source.port}")
    private int port;

    @Value("${strangler.source.user}")
    private String user;

    @Value("${strangler.source.password}")
    private String password;

    @Value("${strangler.source.database}")
    private String database;

    @Value("${strangler.source.tables}")
    private String tables;

    @Value("${strangler.state.url}")
    private String stateUrl;

    @Value("${strangler.state.user}")
    private String stateUser;

    @Value("${strangler.state.password}")
    private String statePassword;

    @Bean
    public io.debezium.config.Configuration catalogueConnector() {
        Map<String, String> m = new HashMap<>();
        m.put("name", "catalogue-cdc");
        m.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        m.put("database.hostname", host);
        m.put("database.port", String.valueOf(port));
        m.put("database.user", user);
        m.put("database.password", password);
        m.put("database.server.id", "5151");
        m.put("topic.prefix", "monolith");
        m.put("database.include.list", database);
        m.put("table.include.list", tables);
        // strings instead of Base64
        m.put("decimal.handling.mode", "string");
        m.put("snapshot.mode", "initial");

        // both states in the database of the new service
        m.put("offset.storage", "io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore");
        m.put("offset.storage.jdbc.url", stateUrl);
        m.put("offset.storage.jdbc.user", stateUser);
        m.put("offset.storage.jdbc.password", statePassword);
        m.put("offset.storage.jdbc.offset.table.name", "cdc_position");
        m.put("offset.flush.interval.ms", "3000");
        m.put("schema.history.internal", "io.debezium.storage.jdbc.history.JdbcSchemaHistory");
        m.put("schema.history.internal.jdbc.url", stateUrl);
        m.put("schema.history.internal.jdbc.user", stateUser);
        m.put("schema.history.internal.jdbc.password", statePassword);
        m.put("schema.history.internal.jdbc.schema.history.table.name", "cdc_ddl");
        return io.debezium.config.Configuration.from(m);
    }
}
