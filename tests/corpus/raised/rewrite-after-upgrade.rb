# frozen_string_literal: true
# Chef resource of the pipeline "accounts -> lake". Upgraded from 2.3 to quay.io/debezium/connect:3.3 last week.
# Ticket: since the upgrade the loader's DELETE branch (row['__deleted'] == 'true') is never entered; instead the
# topic has messages whose payload is null, which the loader skips.

debezium_version = '3.3.1.Final'

accounts = {
  'connector.class' => 'io.debezium.connector.mariadb.MariaDbConnector',
  'tasks.max' => '1',
  'database.hostname' => node['accounts']['db_host'],
  'database.port' => '3306',
  'database.user' => 'lake_cdc',
  'database.password' => "${file:/etc/kafka-connect/accounts.properties:lake_cdc}",
  'database.server.id' => '660142',
  'topic.prefix' => 'acc',
  'database.include.list' => 'accounts',
  'table.include.list' => 'accounts.account,accounts.mandate',
  'schema.history.internal.kafka.bootstrap.servers' => node['kafka']['brokers'].join(','),
  'schema.history.internal.kafka.topic' => 'acc.__ddl',
  'tombstones.on.delete' => 'false',
  'transforms' => 'unwrap',
  'transforms.unwrap.type' => 'io.debezium.transforms.ExtractNewRecordState',
  'transforms.unwrap.drop.tombstones' => 'true',
  'transforms.unwrap.delete.handling.mode' => 'rewrite',
  'transforms.unwrap.add.fields' => 'op,table,source.ts_ms:changed_at'
}

docker_container 'lake-connect' do
  repo 'quay.io/debezium/connect'
  tag debezium_version.split('.').first(2).join('.')
  env ["BOOTSTRAP_SERVERS=#{node['kafka']['brokers'].join(',')}", 'GROUP_ID=lake', 'CONFIG_STORAGE_TOPIC=lake.c',
       'OFFSET_STORAGE_TOPIC=lake.o', 'STATUS_STORAGE_TOPIC=lake.s', 'CONNECT_CONFIG_PROVIDERS=file',
       'CONNECT_CONFIG_PROVIDERS_FILE_CLASS=org.apache.kafka.common.config.provider.FileConfigProvider']
  volumes ['/etc/kafka-connect:/etc/kafka-connect:ro']
  network_mode 'host'
end

http_request 'accounts connector' do
  action :put
  url 'http://localhost:8083/connectors/accounts/config'
  headers 'Content-Type' => 'application/json'
  message accounts.to_json
  retries 12
  retry_delay 10
end
