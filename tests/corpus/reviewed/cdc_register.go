package cdc

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

type Identity struct {
	ConnectorName   string
	TopicPrefix     string
	SlotName        string
	PublicationName string
	SchemaName      string
	TableName       string
}

func buildConnectorConfig(source SourceDatabase, identity Identity) map[string]string {
	result := map[string]string{
		"connector.class":                               "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":                                   "pgoutput",
		"database.hostname":                             source.Host,
		"database.port":                                 strconv.FormatUint(uint64(source.Port), 10),
		"database.dbname":                               source.Database,
		"database.user":                                 source.User,
		"database.password":                             source.Password,
		"database.sslmode":                              source.SSLMode,
		"topic.prefix":                                  identity.TopicPrefix,
		"slot.name":                                     identity.SlotName,
		"publication.name":                              identity.PublicationName,
		"publication.autocreate.mode":                   "disabled",
		"table.include.list":                            identity.SchemaName + "." + identity.TableName,
		"snapshot.mode":                                 "initial",
		"heartbeat.interval.ms":                         "10000",
		"slot.drop.on.stop":                             "false",
		"tombstones.on.delete":                          "false",
		"transforms":                                    "outbox",
		"transforms.outbox.type":                        "io.debezium.transforms.outbox.EventRouter",
		"predicates":                                    "IsOutbox",
		"predicates.IsOutbox.type":                      "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
		"predicates.IsOutbox.pattern":                   topicPattern(identity.TopicPrefix, identity.SchemaName, identity.TableName),
		"transforms.outbox.predicate":                   "IsOutbox",
		"transforms.outbox.table.field.event.id":        "id",
		"transforms.outbox.table.field.event.key":       "partition_key",
		"transforms.outbox.table.field.event.payload":   "message",
		"transforms.outbox.table.field.event.timestamp": "occurred_at",
		"transforms.outbox.table.expand.json.payload":   "true",
		"transforms.outbox.table.op.invalid.behavior":   "fatal",
		"transforms.outbox.route.by.field":              "topic",
		"transforms.outbox.route.topic.regex":           "(?<routedByValue>.*)",
		"transforms.outbox.route.topic.replacement":     "${routedByValue}",
		"errors.tolerance":                              "none",
		"key.converter":                                 "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":                               "org.apache.kafka.connect.json.JsonConverter",
		"value.converter.schemas.enable":                "false",
	}
	if source.SSLRootCert != "" {
		result["database.sslrootcert"] = source.SSLRootCert
	}
	return result
}

// register upserts the connector; publication and slot have been made before.
func register(ctx context.Context, connectURL string, identity Identity, config map[string]string) error {
	body, err := json.Marshal(config)
	if err != nil {
		return err
	}
	url := strings.TrimRight(connectURL, "/") + "/connectors/" + identity.ConnectorName + "/config"
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, url, strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("register CDC connector: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("register CDC connector: %s", response.Status)
	}
	return nil
}
