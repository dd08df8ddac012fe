#!/usr/bin/env python3
"""Topics and the connector of the D2 hand-over; prints no credentials."""
import json,subprocess
def k(*args,data=None):
 return subprocess.check_output(['kubectl',*args],input=data,stderr=subprocess.DEVNULL)
def apply(o):k('apply','-f','-',data=json.dumps(o).encode())
for topic in ['handover.delivery','handover.receipts','dlq.handover','handover-pulse.d2']:
 apply({'apiVersion':'kafka.strimzi.io/v1','kind':'KafkaTopic','metadata':{'namespace':'kafka','name':topic,'labels':{'strimzi.io/cluster':'spider-kafka'}},'spec':{'topicName':topic,'partitions':3,'replicas':3,'config':{'retention.ms':604800000,'min.insync.replicas':2}}})
 k('-n','kafka','wait','--for=condition=Ready','kafkatopic/'+topic,'--timeout=90s')
deployment=json.loads(k('-n','kafka','get','deployment','connect','-o','json'));spec=deployment['spec']['template']['spec']
if not any(v['name']=='d2-pg' for v in spec['volumes']):
 spec['volumes'].append({'name':'d2-pg','secret':{'secretName':'d2-cdc-pg'}})
 spec['containers'][0]['volumeMounts'].append({'name':'d2-pg','mountPath':'/etc/d2-pg','readOnly':True})
 apply(deployment)
k('-n','kafka','rollout','status','deployment/connect','--timeout=180s')
config={
 'connector.class':'io.debezium.connector.postgresql.PostgresConnector','tasks.max':'1',
 'database.hostname':'spider-pg-rw.db.svc.cluster.local','database.port':'5432','database.user':'spider_d2_cdc','database.password':'${file:/etc/d2-pg/credentials.properties:password}',
 'database.dbname':'spider_main','database.sslmode':'verify-full','database.sslrootcert':'/etc/pg-ca/ca.crt','plugin.name':'pgoutput','slot.name':'d2_handover_slot','slot.failover':'true','publication.name':'d2_publication','publication.autocreate.mode':'disabled',
 'topic.prefix':'d2','table.include.list':'handover.outbox','snapshot.mode':'initial','tombstones.on.delete':'false',
 'transforms':'outbox','transforms.outbox.type':'io.debezium.transforms.outbox.EventRouter','transforms.outbox.route.by.field':'aggregatetype','transforms.outbox.route.topic.replacement':'handover.delivery','transforms.outbox.table.expand.json.payload':'true',
 'predicates':'outboxTable','predicates.outboxTable.type':'org.apache.kafka.connect.transforms.predicates.TopicNameMatches','predicates.outboxTable.pattern':r'^d2\.handover\.outbox$', 'transforms.outbox.predicate':'outboxTable',
 'heartbeat.interval.ms':'45000','topic.heartbeat.prefix':'handover-pulse','heartbeat.action.query':'INSERT INTO handover.pulse(id,beat_at) VALUES(1,now()) ON CONFLICT(id) DO UPDATE SET beat_at=EXCLUDED.beat_at',
 'key.converter':'org.apache.kafka.connect.storage.StringConverter','value.converter':'org.apache.kafka.connect.json.JsonConverter','value.converter.schemas.enable':'false'}
k('-n','kafka','exec','-i','deployment/connect','--','curl','--fail','--silent','--show-error','-X','PUT','-H','Content-Type: application/json','--data-binary','@-','http://127.0.0.1:8083/connectors/d2-handover/config',data=json.dumps(config).encode())
print('D2 connector configured')
