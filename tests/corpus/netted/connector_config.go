package outboxcdc

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	ConnectorName = "exchange-outbox"
	TopicPrefix   = "exchange.cdc"
	Publication   = "exchange_outbox_pub"
	Slot          = "exchange_outbox_slot"
)

// Source describes the database that the outbox lives in.
type Source struct {
	Host, Database, User, Password, SSLMode, RootCert string
	Port                                              uint16
}

func topicPattern(parts ...string) string {
	return "^" + regexp.QuoteMeta(strings.Join(parts, ".")) + "$"
}

// Config builds the config of the connector. Publication and slot exist already.
func Config(src Source) map[string]string {
	config := map[string]string{
		"connector.class":                               "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":                                   "pgoutput",
		"database.hostname":                             src.Host,
		"database.port":                                 strconv.Itoa(int(src.Port)),
		"database.dbname":                               src.Database,
		"database.user":                                 src.User,
		"database.password":                             src.Password,
		"database.sslmode":                              src.SSLMode,
		"topic.prefix":                                  TopicPrefix,
		"slot.name":                                     Slot,
		"publication.name":                              Publication,
		"publication.autocreate.mode":                   "disabled",
		"table.include.list":                            "public.trade_events",
		"snapshot.mode":                                 "initial",
		"heartbeat.interval.ms":                         "10000",
		"slot.drop.on.stop":                             "false",
		"tombstones.on.delete":                          "false",
		"transforms":                                    "outbox",
		"transforms.outbox.type":                        "io.debezium.transforms.outbox.EventRouter",
		"predicates":                                    "IsTradeTable",
		"predicates.IsTradeTable.type":                  "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
		"predicates.IsTradeTable.pattern":               topicPattern(TopicPrefix, "public", "trade_events"),
		"transforms.outbox.predicate":                   "IsTradeTable",
		"transforms.outbox.table.field.event.id":        "id",
		"transforms.outbox.table.field.event.key":       "shard_key",
		"transforms.outbox.table.field.event.payload":   "message",
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
	if src.RootCert != "" {
		config["database.sslrootcert"] = src.RootCert
	}
	return config
}
