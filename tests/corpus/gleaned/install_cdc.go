package cdc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

type Identity struct {
	Connector, Prefix, Slot, Publication, Schema, Table string
}

type Source struct {
	Host     string
	Port     uint16
	Database string
	User     string
	Password string
	SSLMode  string
	SSLCert  string
	SSLKey   string
	SSLRoot  string
}

func config(src Source, id Identity) map[string]string {
	out := map[string]string{
		"connector.class":                               "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":                                   "pgoutput",
		"database.hostname":                             src.Host,
		"database.port":                                 strconv.FormatUint(uint64(src.Port), 10),
		"database.dbname":                               src.Database,
		"database.user":                                 src.User,
		"database.password":                             src.Password,
		"database.sslmode":                              src.SSLMode,
		"topic.prefix":                                  id.Prefix,
		"slot.name":                                     id.Slot,
		"publication.name":                              id.Publication,
		"publication.autocreate.mode":                   "disabled",
		"table.include.list":                            id.Schema + "." + id.Table,
		"snapshot.mode":                                 "initial",
		"heartbeat.interval.ms":                         "10000",
		"slot.drop.on.stop":                             "false",
		"tombstones.on.delete":                          "false",
		"transforms":                                    "outbox",
		"transforms.outbox.type":                        "io.debezium.transforms.outbox.EventRouter",
		"predicates":                                    "OnlyOutbox",
		"predicates.OnlyOutbox.type":                    "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
		"predicates.OnlyOutbox.pattern":                 topicPattern(id.Prefix, id.Schema, id.Table),
		"transforms.outbox.predicate":                   "OnlyOutbox",
		"transforms.outbox.table.field.event.id":        "id",
		"transforms.outbox.table.field.event.key":       "partition_key",
		"transforms.outbox.table.field.event.payload":   "body",
		"transforms.outbox.table.field.event.timestamp": "recorded_at",
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
	if src.SSLCert != "" {
		out["database.sslcert"] = src.SSLCert
	}
	if src.SSLKey != "" {
		out["database.sslkey"] = src.SSLKey
	}
	if src.SSLRoot != "" {
		out["database.sslrootcert"] = src.SSLRoot
	}
	return out
}

// Install puts the config; Connect creates the connector or changes it.
func Install(ctx context.Context, connect string, src Source, id Identity) error {
	body, err := json.Marshal(config(src, id))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, connect+"/connectors/"+id.Connector+"/config", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Timeout: 20 * time.Second}).Do(req)
	if err != nil {
		return fmt.Errorf("install %s: %w", id.Connector, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("install %s: connect said %s", id.Connector, resp.Status)
	}
	return nil
}
