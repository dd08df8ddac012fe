// Package "kafka-debezium-mongo": a Connect cluster and the connectors that a tenant's values name.
local k8s = import 'internal/k8s.libsonnet';
local lib = import 'internal/lib.libsonnet';
local common = import 'internal/common.libsonnet';

local creds = '/opt/kafka/external-configuration/connector-config/mongo.properties';

local connect(me) = k8s.k('kafka.strimzi.io/v1beta2', 'KafkaConnect') + k8s.metadata(me.pkg, me.namespace) {
  metadata+: { annotations: { 'strimzi.io/use-connector-resources': 'true' } },
  spec: {
    image: 'artifacts.example.org/kafka-debezium-mongo:latest',
    replicas: 1,
    bootstrapServers: me.bootstrap,
    config: {
      'config.storage.replication.factor': 1,
      'offset.storage.replication.factor': 1,
      'status.storage.replication.factor': 1,
      'config.providers': 'file',
      'config.providers.file.class': 'org.apache.kafka.common.config.provider.FileConfigProvider',
    },
    externalConfiguration: {
      volumes: [{ name: 'connector-config', secret: { secretName: me.pkg } }],
    },
  },
};

local connector(me, name, config) =
  k8s.k('kafka.strimzi.io/v1beta2', 'KafkaConnector') + k8s.metadata(name, me.namespace) {
    metadata+: { labels: { 'strimzi.io/cluster': me.pkg } },
    class: 'io.debezium.connector.mongodb.MongoDbConnector',
    spec+: lib.merge({
      config: {
        'connector.type': 'source',
        'mongodb.name': name,
        'mongodb.hosts': '${file:' + creds + ':Addresses}',
        'mongodb.user': '${file:' + creds + ':Username}',
        'mongodb.password': '${file:' + creds + ':Password}',
        'mongodb.ssl.enabled': '${file:' + creds + ':Tls}',
        // 'collection.include.list': 'telemetry.reading',
      },
      tasksMax: 1,
    }, config),
  };

function(config, prev, namespace, pkg) (
  local me = common.package(config, prev, namespace, pkg);
  [connect(me)] + std.objectValues(std.mapWithKey(function(n, v) connector(me, n, v), lib.getElse(me, 'connectors', {})))
)
