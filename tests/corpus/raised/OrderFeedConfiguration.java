package org.example.bakery.feed;

import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.util.Properties;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Question with this class: "Orders that are placed while the service is being redeployed (about two minutes) never arrive in
 * the kitchen. The log says 'No previous offsets found' at each start. In the previous version, which made a snapshot,
 * the kitchen got all orders of the year again, so we turned that off."
 */
@Configuration
class OrderFeedConfiguration {

    @Bean
    Properties orderFeed(@Value("${bakery.db.host}") String host,
                         @Value("${bakery.db.user}") String user,
                         @Value("${bakery.db.password}") String password) {
        Properties p = new Properties();
        p.setProperty("name", "bakery-order-feed");
        p.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
        p.setProperty("offset.flush.interval.ms", "1000");
        p.setProperty("database.hostname", host);
        p.setProperty("database.port", "3306");
        p.setProperty("database.user", user);
        p.setProperty("database.password", password);
        p.setProperty("database.server.id", "115");
        p.setProperty("topic.prefix", "bakery");
        p.setProperty("database.include.list", "bakery");
        p.setProperty("table.include.list", "bakery.customer_order");
        p.setProperty("snapshot.mode", "no_data");
        p.setProperty("schema.history.internal", "io.debezium.relational.history.MemorySchemaHistory");
        p.setProperty("include.schema.changes", "false");
        return p;
    }

    @Bean
    ApplicationRunner runFeed(Properties orderFeed, KitchenQueue kitchen) {
        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
                .using(orderFeed)
                .notifying(e -> kitchen.offer(e.value()))
                .build();
        return args -> Executors.newSingleThreadExecutor().execute(engine);
    }
}
