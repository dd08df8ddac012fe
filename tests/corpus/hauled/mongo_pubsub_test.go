package cdc_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"
	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	mongoAlias  = "mongo"
	pubsubAlias = "pubsub"
	replicaSet  = "rs0"
	project     = "local-project"
)

// startServer runs Debezium Server between the replica set and the Pub/Sub emulator. The topics were made before.
func startServer(t *testing.T, network, prefix, db string, collections ...string) testcontainers.Container {
	t.Helper()
	wd, err := os.Getwd()
	require.NoError(t, err)

	full := make([]string, 0, len(collections))
	for _, c := range collections {
		full = append(full, fmt.Sprintf("%s.%s", db, c))
	}
	uri := fmt.Sprintf("mongodb://%s:27017/%s?readPreference=primary&ssl=false&replicaSet=%s", mongoAlias, db, replicaSet)

	req := testcontainers.ContainerRequest{
		Image:        "debezium/server:2.4.2.Final",
		Name:         "cdc",
		Networks:     []string{network},
		ExposedPorts: []string{"8080/tcp"},
		WaitingFor: wait.ForHTTP("/q/health").WithPort("8080/tcp").WithStatusCodeMatcher(func(s int) bool {
			return s == http.StatusOK
		}),
		HostConfigModifier: func(hc *container.HostConfig) {
			hc.Mounts = []mount.Mount{{Type: mount.TypeBind, Source: path.Join(wd, "conf"), Target: "/debezium/conf"}}
		},
		Env: map[string]string{
			"PUBSUB_EMULATOR_HOST":                         fmt.Sprintf("%s:8085", pubsubAlias),
			"DEBEZIUM_SINK_TYPE":                           "pubsub",
			"DEBEZIUM_SINK_PUBSUB_PROJECT_ID":              project,
			"DEBEZIUM_SINK_PUBSUB_ADDRESS":                 "pubsub:8085",
			"DEBEZIUM_SINK_PUBSUB_ORDERING_ENABLED":        "true",
			"DEBEZIUM_FORMAT_VALUE":                        "json",
			"DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE":         "false",
			"DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE":           "false",
			"DEBEZIUM_SOURCE_CONNECTOR_CLASS":              "io.debezium.connector.mongodb.MongoDbConnector",
			"DEBEZIUM_SOURCE_MONGODB_CONNECTION_STRING":    uri,
			"DEBEZIUM_SOURCE_TOPIC_PREFIX":                 prefix,
			"DEBEZIUM_SOURCE_DATABASE_INCLUDE_LIST":        db,
			"DEBEZIUM_SOURCE_COLLECTION_INCLUDE_LIST":      strings.Join(full, ","),
			"DEBEZIUM_SOURCE_CAPTURE_MODE":                 "change_streams_update_full_with_pre_image",
			"DEBEZIUM_SOURCE_SNAPSHOT_MODE":                "never",
			"DEBEZIUM_SOURCE_TOMBSTONES_ON_DELETE":         "false",
			"DEBEZIUM_SOURCE_POLL_INTERVAL_MS":             "100",
			"DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME": "data/offsets.dat",
			"DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS":     "0",
		},
	}
	c, err := testcontainers.GenericContainer(context.Background(), testcontainers.GenericContainerRequest{
		ContainerRequest: req,
		Started:          true,
	})
	require.NoError(t, err)
	return c
}
