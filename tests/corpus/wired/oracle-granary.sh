#!/bin/sh
# Prepares an Oracle 19c container database for LogMiner and registers the connector (Debezium 3.3).
set -eu
: "${CDC_PASSWORD:?}"

docker exec -i granary-ora sqlplus -s / as sysdba <<SQL
ALTER SYSTEM SET db_recovery_file_dest_size = 30G;
SHUTDOWN IMMEDIATE
STARTUP MOUNT
ALTER DATABASE ARCHIVELOG;
ALTER DATABASE OPEN;
ALTER PLUGGABLE DATABASE ALL OPEN;
CREATE TABLESPACE logminer_tbs DATAFILE '/opt/oracle/oradata/GRANCDB/logminer_tbs.dbf' SIZE 50M AUTOEXTEND ON;
ALTER SESSION SET CONTAINER = GRANPDB;
CREATE TABLESPACE logminer_tbs DATAFILE '/opt/oracle/oradata/GRANCDB/GRANPDB/logminer_tbs.dbf' SIZE 50M AUTOEXTEND ON;
ALTER SESSION SET CONTAINER = CDB\$ROOT;
CREATE USER c##granary IDENTIFIED BY "${CDC_PASSWORD}" DEFAULT TABLESPACE logminer_tbs QUOTA UNLIMITED ON logminer_tbs CONTAINER=ALL;
GRANT CREATE SESSION, SET CONTAINER, LOGMINING, CREATE TABLE, CREATE SEQUENCE TO c##granary CONTAINER=ALL;
GRANT SELECT ANY TABLE, FLASHBACK ANY TABLE, LOCK ANY TABLE, SELECT ANY TRANSACTION TO c##granary CONTAINER=ALL;
GRANT SELECT_CATALOG_ROLE, EXECUTE_CATALOG_ROLE TO c##granary CONTAINER=ALL;
GRANT EXECUTE ON DBMS_LOGMNR TO c##granary CONTAINER=ALL;
GRANT EXECUTE ON DBMS_LOGMNR_D TO c##granary CONTAINER=ALL;
SQL

# logging of the two tables that we capture
docker exec -i granary-ora sqlplus -s / as sysdba <<'SQL'
ALTER SESSION SET CONTAINER = GRANPDB;
ALTER TABLE granary.silos ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
ALTER TABLE granary.deliveries ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
SQL

curl -fsS -X POST -H 'Content-Type: application/json' http://granary-connect:8083/connectors -d @- <<JSON
{
  "name": "granary",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "database.hostname": "granary-ora",
    "database.port": "1521",
    "database.user": "c##granary",
    "database.password": "${CDC_PASSWORD}",
    "database.dbname": "GRANCDB",
    "database.pdb.name": "GRANPDB",
    "topic.prefix": "granary",
    "table.include.list": "GRANARY.SILOS,GRANARY.DELIVERIES",
    "schema.history.internal.kafka.bootstrap.servers": "granary-kafka:9092",
    "schema.history.internal.kafka.topic": "granary.schema-history"
  }
}
JSON
