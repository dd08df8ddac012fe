package com.neighbourly.messaging.infrastructure.outbox;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.quarkus.runtime.annotations.RegisterForReflection;

import java.util.Objects;

// Serialised by Jackson as the "config" object of the request to Kafka Connect.
@RegisterForReflection
public final class ConnectorSettingsDto {

    private final String databaseHostname;
    private final String databasePort;
    private final String databaseUser;
    private final String databasePassword;
    private final String databaseDbname;
    private final String databaseServerName;
    private final String slotDropOnStop;
    private final String snapshotMode;

    public ConnectorSettingsDto(final String databaseHostname, final String databasePort,
                                final String databaseUser, final String databasePassword,
                                final String databaseDbname, final String databaseServerName,
                                final String slotDropOnStop, final String snapshotMode) {
        this.databaseHostname = Objects.requireNonNull(databaseHostname);
        this.databasePort = Objects.requireNonNull(databasePort);
        this.databaseUser = Objects.requireNonNull(databaseUser);
        this.databasePassword = Objects.requireNonNull(databasePassword);
        this.databaseDbname = Objects.requireNonNull(databaseDbname);
        this.databaseServerName = Objects.requireNonNull(databaseServerName);
        this.slotDropOnStop = Objects.requireNonNull(slotDropOnStop);
        this.snapshotMode = Objects.requireNonNull(snapshotMode);
    }

    @JsonProperty("connector.class")
    public String getConnectorClass() {
        return "io.debezium.connector.postgresql.PostgresConnector";
    }

    @JsonProperty("tasks.max")
    public String getTasksMax() {
        return "1";
    }

    @JsonProperty("database.hostname")
    public String getDatabaseHostname() {
        return databaseHostname;
    }

    @JsonProperty("database.port")
    public String getDatabasePort() {
        return databasePort;
    }

    @JsonProperty("database.user")
    public String getDatabaseUser() {
        return databaseUser;
    }

    @JsonProperty("database.password")
    public String getDatabasePassword() {
        return databasePassword;
    }

    @JsonProperty("database.dbname")
    public String getDatabaseDbname() {
        return databaseDbname;
    }

    @JsonProperty("database.server.name")
    public String getDatabaseServerName() {
        return databaseServerName;
    }

    @JsonProperty("schema.include.list")
    public String getSchemaIncludeList() {
        return "public";
    }

    @JsonProperty("table.include.list")
    public String getTableIncludeList() {
        return "public.outboxevent";
    }

    @JsonProperty("tombstones.on.delete")
    public String getTombstonesOnDelete() {
        return "false";
    }

    @JsonProperty("transforms")
    public String getTransforms() {
        return "outbox";
    }

    @JsonProperty("transforms.outbox.type")
    public String getTransformsOutboxType() {
        return "io.debezium.transforms.outbox.EventRouter";
    }

    @JsonProperty("transforms.outbox.route.topic.replacement")
    public String getTransformsOutboxRouteTopicReplacement() {
        return "${routedByValue}.events";
    }

    @JsonProperty("transforms.outbox.table.field.event.timestamp")
    public String getTransformsOutboxTableFieldEventTimestamp() {
        return "timestamp";
    }

    @JsonProperty("transforms.outbox.table.field.event.payload.id")
    public String getTransformsOutboxTableFieldEventPayloadId() {
        return "id";
    }

    @JsonProperty("transforms.outbox.table.fields.additional.placement")
    public String getTransformsOutboxTableFieldsAdditionalPlacement() {
        return "type:header:eventType,aggregateid:header:aggregateId";
    }

    @JsonProperty("key.converter")
    public String getKeyConverter() {
        return "org.apache.kafka.connect.storage.StringConverter";
    }

    @JsonProperty("value.converter")
    public String getValueConverter() {
        return "org.apache.kafka.connect.storage.StringConverter";
    }

    @JsonProperty("key.converter.schemas.enable")
    public String getKeyConverterSchemasEnable() {
        return "false";
    }

    @JsonProperty("value.converter.schemas.enable")
    public String getValueConverterSchemasEnable() {
        return "false";
    }

    @JsonProperty("group.id")
    public String getGroupId() {
        return "connect";
    }

    @JsonProperty("slot.drop.on.stop")
    public String getSlotDropOnStop() {
        return slotDropOnStop;
    }

    @JsonProperty("snapshot.mode")
    public String getSnapshotMode() {
        return snapshotMode;
    }
}
