package net.example.tickets.relay;

import java.util.Properties;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;

@Configuration
public class OutboxRelayConfiguration {

    @Value("${relay.db.host}") String host;
    @Value("${relay.db.user}") String user;
    @Value("${relay.db.password}") String password;

    /** Every deployment of the pod swallows what was written while it was down. */
    @Bean(destroyMethod = "close")
    DebeziumEngine<ChangeEvent<String, String>> relay(TicketEventHandler handler) {
        Properties props = new Properties();
        props.setProperty("name", "ticket-relay");
        props.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        props.setProperty("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
        props.setProperty("offset.flush.interval.ms", "0");
        props.setProperty("database.hostname", host);
        props.setProperty("database.port", "3306");
        props.setProperty("database.user", user);
        props.setProperty("database.password", password);
        props.setProperty("database.server.id", "85744");
        props.setProperty("topic.prefix", "tickets");
        props.setProperty("database.include.list", "tickets");
        props.setProperty("table.include.list", "tickets.outbox");
        props.setProperty("snapshot.mode", "no_data");
        props.setProperty("include.schema.changes", "false");
        props.setProperty("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory");
        props.setProperty("transforms", "outbox");
        props.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        props.setProperty("transforms.outbox.table.fields.additional.placement", "type:header:eventType");

        return DebeziumEngine.create(Json.class)
                .using(props)
                .notifying(handler::onEvent)
                .build();
    }
}
