-- Everything that the DBA ran for the capture user (Oracle 19c, container database LABCDB with PDB LIMS), as asked for in
-- the issue "snapshot is fine, streaming dies".  The connector's config is in the block at the end.
ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;

CREATE TABLESPACE cdc_ts DATAFILE '/u02/oradata/LABCDB/cdc_ts01.dbf' SIZE 50M AUTOEXTEND ON;
ALTER SESSION SET CONTAINER = LIMS;
CREATE TABLESPACE cdc_ts DATAFILE '/u02/oradata/LABCDB/LIMS/cdc_ts01.dbf' SIZE 50M AUTOEXTEND ON;
ALTER TABLE lims.specimen ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
ALTER TABLE lims.test_result ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;

ALTER SESSION SET CONTAINER = CDB$ROOT;
CREATE USER c##capture IDENTIFIED BY "&capture_password" DEFAULT TABLESPACE cdc_ts CONTAINER=ALL;

GRANT CREATE SESSION, SET CONTAINER, CREATE TABLE, LOGMINING TO c##capture CONTAINER=ALL;
GRANT SELECT ANY TRANSACTION, SELECT ANY DICTIONARY, SELECT ANY TABLE, LOCK ANY TABLE, FLASHBACK ANY TABLE TO c##capture CONTAINER=ALL;
GRANT SELECT_CATALOG_ROLE, EXECUTE_CATALOG_ROLE TO c##capture CONTAINER=ALL;
GRANT EXECUTE ON DBMS_LOGMNR TO c##capture CONTAINER=ALL;
GRANT EXECUTE ON DBMS_LOGMNR_D TO c##capture CONTAINER=ALL;

/* connector, Debezium 2.6
name=lims-results
connector.class=io.debezium.connector.oracle.OracleConnector
database.hostname=ora-lab.internal
database.port=1521
database.user=c##capture
database.password=${file:/etc/kafka/lims.properties:capture}
database.dbname=LABCDB
database.pdb.name=LIMS
topic.prefix=lims
table.include.list=LIMS.SPECIMEN,LIMS.TEST_RESULT
log.mining.strategy=online_catalog
schema.history.internal.kafka.bootstrap.servers=kfk1:9092
schema.history.internal.kafka.topic=lims.schema
*/

/* log
ERROR Mining session stopped due to error.
java.sql.SQLException: ORA-01950: no privileges on tablespace 'CDC_TS'
 while: INSERT INTO LOG_MINING_FLUSH VALUES (0)
*/
