-- Demo rows for the console: two pipelines with their connectors. The deployer posts `config` as it is.
INSERT INTO pipelines (id, name, status) VALUES
  ('0a10', 'Bank to reporting', 'running'),
  ('0a20', 'Depot mirror', 'running');

INSERT INTO pipeline_connectors (id, pipeline_id, name, kind, connector_class, config, status) VALUES

-- Bank to reporting
('0a11', '0a10', 'bank-source', 'source', 'io.debezium.connector.oracle.OracleConnector',
'{"tasks.max": "1", "topic.prefix": "bank_cdc", "database.hostname": "127.0.0.1", "database.port": 1522,
  "database.user": "c##cdc", "database.password": "dbz", "database.dbname": "ORCLCDB",
  "database.pdb.name": "ORCLPDB1", "snapshot.mode": "initial",
  "connector.class": "io.debezium.connector.oracle.OracleConnector",
  "schema.include.list": "BANK", "table.include.list": "BANK.BOOKINGS,BANK.ACCOUNTS,BANK.OWNERS",
  "log.mining.strategy": "online_catalog", "time.precision.mode": "adaptive",
  "decimal.handling.mode": "double", "database.server.name": "bank_cdc_server",
  "database.history.kafka.topic": "ddl.bank_cdc",
  "database.history.kafka.bootstrap.servers": "127.0.0.1:9092"}',
'running'),

('0a12', '0a10', 'bank-reporting-sink', 'sink', 'io.debezium.connector.jdbc.JdbcSinkConnector',
'{"tasks.max": "1", "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
  "topics": "bank_cdc_server.BANK.BOOKINGS,bank_cdc_server.BANK.ACCOUNTS,bank_cdc_server.BANK.OWNERS",
  "connection.url": "jdbc:postgresql://127.0.0.1:5432/reporting", "connection.username": "postgres",
  "connection.password": "postgres", "insert.mode": "upsert", "delete.enabled": "true",
  "pk.mode": "record_key", "auto.create": "true", "auto.evolve": "true", "table.name.format": "${topic}"}',
'running'),

-- Depot mirror
('0a21', '0a20', 'depot-source', 'source', 'io.debezium.connector.sqlserver.SqlServerConnector',
'{"tasks.max": "1", "topic.prefix": "depot", "database.hostname": "depot-db.example.org",
  "database.port": "1433", "database.user": "sa", "database.password": "changeme",
  "database.dbname": "Depot", "snapshot.mode": "initial",
  "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
  "schema.include.list": "dbo", "table.include.list": "dbo.Pallets,dbo.Racks",
  "time.precision.mode": "adaptive", "decimal.handling.mode": "double",
  "database.server.name": "depot", "database.history.kafka.topic": "ddl.depot",
  "database.history.kafka.bootstrap.servers": "127.0.0.1:9092"}',
'running'),

('0a22', '0a20', 'depot-mirror-sink', 'sink', 'io.debezium.connector.jdbc.JdbcSinkConnector',
'{"tasks.max": "1", "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
  "topics": "depot.dbo.Pallets,depot.dbo.Racks",
  "connection.url": "jdbc:postgresql://mirror.example.org:5432/depot", "connection.username": "postgres",
  "connection.password": "postgres", "insert.mode": "upsert", "delete.enabled": "true",
  "pk.mode": "record_key", "auto.create": "true", "auto.evolve": "true", "table.name.format": "${topic}"}',
'running');
