package cdc

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

type SourceDB struct {
	Host, Database, User, Password, SSLMode string
	Port                                    uint16
}

type Identity struct {
	Connector, TopicPrefix, SlotName, Publication, Schema, Table string
}

func topicPattern(id Identity) string {
	return regexp.QuoteMeta(id.TopicPrefix + "." + id.Schema + "." + id.Table)
}

func settings(src SourceDB, id Identity) map[string]string {
	return map[string]string{
		"connector.class":                               "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":                                   "pgoutput",
		"database.hostname":                             src.Host,
		"database.port":                                 strconv.FormatUint(uint64(src.Port), 10),
		"database.dbname":                               src.Database,
		"database.user":                                 src.User,
		"database.password":                             src.Password,
		"database.sslmode":                              src.SSLMode,
		"topic.prefix":                                  id.TopicPrefix,
		"slot.name":                                     id.SlotName,
		"publication.name":                              id.Publication,
		"publication.autocreate.mode":                   "disabled",
		"table.include.list":                            id.Schema + "." + id.Table,
		"snapshot.mode":                                 "initial",
		"heartbeat.interval.ms":                         "10000",
		"slot.drop.on.stop":                             "false",
		"tombstones.on.delete":                          "false",
		"transforms":                                    "outbox",
		"transforms.outbox.type":                        "io.debezium.transforms.outbox.EventRouter",
		"predicates":                                    "IsTideOutbox",
		"predicates.IsTideOutbox.type":                  "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
		"predicates.IsTideOutbox.pattern":               topicPattern(id),
		"transforms.outbox.predicate":                   "IsTideOutbox",
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
}

// Register puts the connector; publication and slot are made before, see publication.go.
func Register(ctx context.Context, base string, src SourceDB, id Identity) error {
	body, err := json.Marshal(settings(src, id))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, strings.TrimRight(base, "/")+"/connectors/"+id.Connector+"/config", strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := (&http.Client{Timeout: 15 * time.Second}).Do(req)
	if err != nil {
		return fmt.Errorf("put connector: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("put connector: %s", res.Status)
	}
	return nil
}
