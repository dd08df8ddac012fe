package relay

import (
	"encoding/json"
	"fmt"
	"os"
)

// Settings of the relay, read from the environment at start.
type Settings struct {
	DBHost, DBUser, DBPassword, DBName string
	DBPort                             int
	Prefix, Slot, Publication          string
	OverridePath                       string
}

type Registrar struct{ s Settings }

// connectorConfig returns the config of the ledger's outbox connector. A file, if one is given, replaces it.
func (r *Registrar) connectorConfig() (map[string]string, error) {
	if r.s.OverridePath != "" {
		return readOverride(r.s.OverridePath)
	}

	return map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"database.hostname":           r.s.DBHost,
		"database.port":               fmt.Sprintf("%d", r.s.DBPort),
		"database.user":               r.s.DBUser,
		"database.password":           r.s.DBPassword,
		"database.dbname":             r.s.DBName,
		"database.server.name":        "ledger-db",
		"topic.prefix":                r.s.Prefix,
		"plugin.name":                 "pgoutput",
		"table.include.list":          "public.ldg_outbox",
		"slot.name":                   r.s.Slot,
		"publication.name":            r.s.Publication,
		"publication.autocreate.mode": "filtered",

		// every row names its own topic
		"transforms":                                          "outbox",
		"transforms.outbox.type":                              "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.table.field.event.id":              "event_uuid",
		"transforms.outbox.table.field.event.key":             "shard_key",
		"transforms.outbox.table.field.event.type":            "event_kind",
		"transforms.outbox.table.field.event.payload":         "payload",
		"transforms.outbox.table.fields.additional.placement": "topic:header,headers:header",
		"transforms.outbox.route.by.field":                    "topic",
		"transforms.outbox.route.topic.regex":                 "(.*)",
		"transforms.outbox.route.topic.replacement":           "$1",

		"key.converter":                  "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":                "org.apache.kafka.connect.json.JsonConverter",
		"value.converter.schemas.enable": "false",

		"max.batch.size":        "1000",
		"max.queue.size":        "10000",
		"poll.interval.ms":      "500",
		"snapshot.mode":         "never",
		"snapshot.locking.mode": "none",

		"tombstones.on.delete":                   "false",
		"heartbeat.interval.ms":                  "30000",
		"heartbeat.topics.prefix":                "__debezium-heartbeat",
		"event.processing.failure.handling.mode": "skip",
		"decimal.handling.mode":                  "string",
		"binary.handling.mode":                   "base64",
	}, nil
}

func readOverride(path string) (map[string]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("relay: %s: %w", path, err)
	}
	var doc struct {
		Config map[string]string `json:"config"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, fmt.Errorf("relay: %s: %w", path, err)
	}
	return doc.Config, nil
}
