package pipeline_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	mongoHost   = "mongo"
	pubsubHost  = "pubsub"
	project     = "lighthouse-test"
	database    = "lighthouse"
	replicaSet  = "rs0"
	topicPrefix = "lh"
)

// startDebezium runs the server between the Mongo and the Pub/Sub emulator of the test; both have their
// collections and topics before it starts.
func startDebezium(t *testing.T, network string, collections ...string) testcontainers.Container {
	t.Helper()
	uri := fmt.Sprintf("mongodb://%s:27017/%s?readPreference=primary&ssl=false&replicaSet=%s", mongoHost, database, replicaSet)
	request := testcontainers.ContainerRequest{
		Name:         "debezium",
		Image:        "debezium/server:2.4.2.Final",
		ExposedPorts: []string{"8080/tcp"},
		Networks:     []string{network},
		WaitingFor: wait.ForHTTP("/q/health").WithPort("8080/tcp").WithStatusCodeMatcher(
			func(status int) bool { return status == http.StatusOK },
		),
		Env: map[string]string{
			"PUBSUB_EMULATOR_HOST":                         pubsubHost + ":8085",
			"DEBEZIUM_SINK_TYPE":                           "pubsub",
			"DEBEZIUM_SINK_PUBSUB_PROJECT_ID":              project,
			"DEBEZIUM_SINK_PUBSUB_ADDRESS":                 pubsubHost + ":8085",
			"DEBEZIUM_SINK_PUBSUB_ORDERING_ENABLED":        "true",
			"DEBEZIUM_FORMAT_VALUE":                        "json",
			"DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE":         "false",
			"DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE":           "false",
			"DEBEZIUM_SOURCE_CONNECTOR_CLASS":              "io.debezium.connector.mongodb.MongoDbConnector",
			"DEBEZIUM_SOURCE_MONGODB_CONNECTION_STRING":    uri,
			"DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME": "data/lh.dat",
			"DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS":     "0",
			"DEBEZIUM_SOURCE_SNAPSHOT_MODE":                "never",
			"DEBEZIUM_SOURCE_TOPIC_PREFIX":                 topicPrefix,
			"DEBEZIUM_SOURCE_CAPTURE_MODE":                 "change_streams_update_full_with_pre_image",
			"DEBEZIUM_SOURCE_DATABASE_INCLUDE_LIST":        database,
			"DEBEZIUM_SOURCE_COLLECTION_INCLUDE_LIST":      strings.Join(collections, ","),
			"DEBEZIUM_SOURCE_TOMBSTONES_ON_DELETE":         "false",
			"DEBEZIUM_SOURCE_POLL_INTERVAL_MS":             "150",
		},
	}
	container, err := testcontainers.GenericContainer(context.Background(), testcontainers.GenericContainerRequest{
		ContainerRequest: request,
		Started:          true,
	})
	if err != nil {
		t.Fatalf("debezium: %v", err)
	}
	return container
}

func TestChangesReachPubSub(t *testing.T) {
	network := startNetwork(t)
	startMongo(t, network, replicaSet)
	startPubSub(t, network, "lh.lighthouse.lamps", "lh.lighthouse.keepers")
	startDebezium(t, network, "lighthouse.lamps", "lighthouse.keepers")
	insertLamp(t, "north pier")
	expectEvent(t, "lh.lighthouse.lamps", "north pier")
}
