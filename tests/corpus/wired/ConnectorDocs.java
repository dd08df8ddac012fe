package org.example.museum.deploy;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Source and MongoDB sink of the museum's catalogue. There is no ExtractNewRecordState, and there must not be one: the CDC handler of
 * the sink wants the envelope (op, before, after). It skips tombstones by itself.
 */
final class ConnectorDocs {

    private ConnectorDocs() {
    }

    static Map<String, String> source(String password) {
        Map<String, String> config = new LinkedHashMap<>();
        config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        config.put("plugin.name", "pgoutput");
        config.put("database.hostname", "museum-db");
        config.put("database.port", "5432");
        config.put("database.user", "museum_cdc");
        config.put("database.password", password);
        config.put("database.dbname", "museum");
        config.put("topic.prefix", "museum");
        config.put("table.include.list", "public.exhibits");
        config.put("publication.autocreate.mode", "filtered");
        config.put("slot.name", "museum_exhibits");
        config.put("decimal.handling.mode", "string");
        config.putAll(json());
        return config;
    }

    static Map<String, String> sink(String connectionUri) {
        Map<String, String> config = new LinkedHashMap<>();
        config.put("connector.class", "com.mongodb.kafka.connect.MongoSinkConnector");
        config.put("tasks.max", "1");
        config.put("topics", "museum.public.exhibits");
        config.put("connection.uri", connectionUri);
        config.put("database", "catalogue");
        config.put("collection", "exhibits");
        config.put("change.data.capture.handler",
                "com.mongodb.kafka.connect.sink.cdc.debezium.rdbms.postgres.PostgresHandler");
        config.putAll(json());
        return config;
    }

    private static Map<String, String> json() {
        return Map.of(
                "key.converter", "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable", "false",
                "value.converter", "org.apache.kafka.connect.json.JsonConverter",
                "value.converter.schemas.enable", "false");
    }
}
