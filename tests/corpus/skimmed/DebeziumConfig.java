package org.example.wallet.config;

import java.util.Properties;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
public class DebeziumConfig {

    @Value("${spring.datasource.username}")
    private String user;

    @Value("${spring.datasource.password}")
    private String password;

    /** The settings that CdcRunner hands to the engine. */
    @Bean
    public Properties debeziumProperties() {
        Properties props = new Properties();

        props.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");

        // kept in memory only: after a restart the table is read again, consumers drop what they have seen
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");

        props.setProperty("name", "wallet-engine");
        // gives wallet.public.outbox_messages
        props.setProperty("topic.prefix", "wallet");

        props.setProperty("database.hostname", "localhost");
        props.setProperty("database.port", "5432");
        props.setProperty("database.user", user);
        props.setProperty("database.password", password);
        props.setProperty("database.dbname", "wallet_poc");
        props.setProperty("database.server.name", "wallet-db");

        // schema.table
        props.setProperty("table.include.list", "public.outbox_messages");

        props.setProperty("plugin.name", "pgoutput");

        // props.setProperty("snapshot.mode", "initial");
        return props;
    }
}
