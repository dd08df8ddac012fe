package org.example.chat.infrastructure.bus;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

import java.util.Objects;

@RegisterForReflection
public final class ChatConnectorConfig {

    private final String host;
    private final String port;
    private final String user;
    private final String password;
    private final String dbname;
    private final String server;
    private final String dropSlot;
    private final String snapshot;

    public ChatConnectorConfig(String host, String port, String user, String password, String dbname,
                               String server, String dropSlot, String snapshot) {
        this.host = Objects.requireNonNull(host);
        this.port = Objects.requireNonNull(port);
        this.user = Objects.requireNonNull(user);
        this.password = Objects.requireNonNull(password);
        this.dbname = Objects.requireNonNull(dbname);
        this.server = Objects.requireNonNull(server);
        this.dropSlot = Objects.requireNonNull(dropSlot);
        this.snapshot = Objects.requireNonNull(snapshot);
    }

    @JsonProperty("connector.class")
    public String connectorClass() { return "io.debezium.connector.postgresql.PostgresConnector"; }

    @JsonProperty("tasks.max")
    public String tasksMax() { return "1"; }

    @JsonProperty("database.hostname")
    public String databaseHostname() { return host; }

    @JsonProperty("database.port")
    public String databasePort() { return port; }

    @JsonProperty("database.user")
    public String databaseUser() { return user; }

    @JsonProperty("database.password")
    public String databasePassword() { return password; }

    @JsonProperty("database.dbname")
    public String databaseDbname() { return dbname; }

    @JsonProperty("database.server.name")
    public String databaseServerName() { return server; }

    @JsonProperty("schema.include.list")
    public String schemaIncludeList() { return "public"; }

    @JsonProperty("table.include.list")
    public String tableIncludeList() { return "public.outboxevent"; }

    @JsonProperty("tombstones.on.delete")
    public String tombstonesOnDelete() { return "false"; }

    @JsonProperty("transforms")
    public String transforms() { return "chat"; }

    @JsonProperty("transforms.chat.type")
    public String routerType() { return "io.debezium.transforms.outbox.EventRouter"; }

    @JsonProperty("transforms.chat.route.topic.replacement")
    public String topicReplacement() { return "${routedByValue}.stream"; }

    @JsonProperty("transforms.chat.table.field.event.timestamp")
    public String eventTimestamp() { return "timestamp"; }

    @JsonProperty("transforms.chat.table.field.event.payload.id")
    public String payloadId() { return "id"; }

    @JsonProperty("transforms.chat.table.fields.additional.placement")
    public String placement() { return "type:header:kind,aggregateid:header:roomId"; }

    @JsonProperty("key.converter")
    public String keyConverter() { return "org.apache.kafka.connect.storage.StringConverter"; }

    @JsonProperty("value.converter")
    public String valueConverter() { return "org.apache.kafka.connect.storage.StringConverter"; }

    @JsonProperty("group.id")
    public String groupId() { return "connect"; }

    @JsonProperty("slot.drop.on.stop")
    public String slotDropOnStop() { return dropSlot; }

    @JsonProperty("snapshot.mode")
    public String snapshotMode() { return snapshot; }
}
