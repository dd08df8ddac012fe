package org.harbourpilots.events;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;

/** Events go straight into the WAL, there is no outbox table. Debezium 3.x reads them. */
public final class WalMessages {

    public void emit(Connection tx, String json) throws SQLException {
        try (PreparedStatement st = tx.prepareStatement("SELECT pg_logical_emit_message(true, 'pilots', ?)")) {
            // {"id":"...","aggregatetype":"...","aggregateid":"...","payload":"..."}
            st.setString(1, json);
            st.executeQuery();
        }
    }

    public static Map<String, String> connector(String user, String password) {
        return Map.ofEntries(
            Map.entry("connector.class", "io.debezium.connector.postgresql.PostgresConnector"),
            Map.entry("database.hostname", "pilots-db"),
            Map.entry("database.port", "5432"),
            Map.entry("database.user", user),
            Map.entry("database.password", password),
            Map.entry("database.dbname", "pilots"),
            Map.entry("topic.prefix", "pilots"),
            Map.entry("plugin.name", "pgoutput"),
            Map.entry("slot.name", "pilots_events"),
            Map.entry("publication.name", "pilots_events"),
            Map.entry("publication.autocreate.mode", "filtered"),
            Map.entry("table.include.list", "public.duty_roster"),
            Map.entry("message.prefix.include.list", "pilots"),
            Map.entry("tombstones.on.delete", "false"),
            Map.entry("predicates", "isMessage"),
            Map.entry("predicates.isMessage.type", "org.apache.kafka.connect.transforms.predicates.TopicNameMatches"),
            Map.entry("predicates.isMessage.pattern", "pilots\\.message"),
            Map.entry("transforms", "decode,outbox"),
            Map.entry("transforms.decode.type",
                "io.debezium.connector.postgresql.transforms.DecodeLogicalDecodingMessageContent"),
            Map.entry("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter"),
            Map.entry("transforms.outbox.predicate", "isMessage"),
            Map.entry("transforms.outbox.route.topic.replacement", "pilots.${routedByValue}")
        );
    }
}
