-- Error on creating the connector (HTTP 400):
--   User dbz_reader does not have access to CDC schema in the following databases: Leasing.
-- What we have run on the server, complete:
USE master;
CREATE LOGIN dbz_reader WITH PASSWORD = '$(DBZ_PW)';
GO
USE Leasing;
CREATE USER dbz_reader FOR LOGIN dbz_reader;
ALTER ROLE db_datareader ADD MEMBER dbz_reader;
GO
EXEC sys.sp_cdc_enable_db;
GO
DENY SELECT ON SCHEMA::cdc TO dbz_reader;   -- internal tables are none of its business (audit finding 17)
GO
CREATE ROLE cdc_gate;
EXEC sys.sp_cdc_enable_table @source_schema = N'contract', @source_name = N'Agreement',   @role_name = N'cdc_gate';
EXEC sys.sp_cdc_enable_table @source_schema = N'contract', @source_name = N'Instalment',  @role_name = N'cdc_gate';
GO
ALTER ROLE cdc_gate ADD MEMBER leasing_etl;
GO
/*
{
  "name": "leasing-agreements",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "database.hostname": "leasing-sql",
    "database.port": "1433",
    "database.user": "dbz_reader",
    "database.password": "${file:/opt/kafka/secrets/leasing.properties:dbz}",
    "database.names": "Leasing",
    "topic.prefix": "leasing",
    "schema.include.list": "contract",
    "table.include.list": "contract.Agreement,contract.Instalment",
    "schema.history.internal.kafka.bootstrap.servers": "broker-1:9092",
    "schema.history.internal.kafka.topic": "leasing.ddl",
    "driver.trustServerCertificate": "true"
  }
}
*/
