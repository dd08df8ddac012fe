#!/usr/bin/env python3
"""Create the topics, users and the connector of the handover stage. Prints no secret."""
import json, subprocess
from pathlib import Path
HERE=Path(__file__).resolve().parents[1]
def kc(*a,stdin=None):
 return subprocess.check_output(['kubectl',*a],input=stdin,stderr=subprocess.DEVNULL)
def put(o):kc('apply','-f','-',stdin=json.dumps(o).encode())
for t in ['shop.handover','shop.acks','dead.handover','pulse.h1']:
 put({'apiVersion':'kafka.strimzi.io/v1','kind':'KafkaTopic','metadata':{'namespace':'bus','name':t,'labels':{'strimzi.io/cluster':'bus'}},'spec':{'partitions':6,'replicas':3,'config':{'min.insync.replicas':2}}})
 kc('-n','bus','wait','--for=condition=Ready','kafkatopic/'+t,'--timeout=90s')
user=json.loads(kc('-n','bus','get','kafkauser','connect','-o','json'))
for t in ['shop.handover','pulse.h1']:
 acl={'resource':{'type':'topic','name':t,'patternType':'literal'},'operations':['Write','Describe'],'host':'*'}
 if acl not in user['spec']['authorization']['acls']:user['spec']['authorization']['acls'].append(acl)
put(user)
# the credentials of the connector are mounted at /etc/h1-pg by the deployment
kc('-n','bus','rollout','status','deployment/connect','--timeout=180s')
cfg={
 'connector.class':'io.debezium.connector.postgresql.PostgresConnector','tasks.max':'1',
 'database.hostname':'shop-pg-rw.data.svc.cluster.local','database.port':'5432','database.user':'shop_h1_cdc','database.password':'${file:/etc/h1-pg/login.properties:password}',
 'database.dbname':'shop_stage','database.sslmode':'verify-full','database.sslrootcert':'/etc/pg-ca/ca.crt','plugin.name':'pgoutput','slot.name':'h1_handover','slot.failover':'true','publication.name':'h1_publication','publication.autocreate.mode':'disabled',
 'topic.prefix':'h1','table.include.list':'handover.outbox','snapshot.mode':'initial','tombstones.on.delete':'false',
 'transforms':'toBus','transforms.toBus.type':'io.debezium.transforms.outbox.EventRouter','transforms.toBus.route.by.field':'aggregatetype','transforms.toBus.route.topic.replacement':'shop.handover','transforms.toBus.table.expand.json.payload':'true',
 'predicates':'isHandover','predicates.isHandover.type':'org.apache.kafka.connect.transforms.predicates.TopicNameMatches','predicates.isHandover.pattern':r'^h1\.handover\.outbox$','transforms.toBus.predicate':'isHandover',
 'heartbeat.interval.ms':'60000','topic.heartbeat.prefix':'pulse','heartbeat.action.query':'INSERT INTO handover.pulse(id,seen) VALUES(1,now()) ON CONFLICT(id) DO UPDATE SET seen=EXCLUDED.seen',
 'key.converter':'org.apache.kafka.connect.storage.StringConverter','value.converter':'org.apache.kafka.connect.json.JsonConverter','value.converter.schemas.enable':'false'}
kc('-n','bus','exec','-i','deployment/connect','--','curl','--fail','--silent','-X','PUT','-H','Content-Type: application/json','--data-binary','@-','http://127.0.0.1:8083/connectors/h1-handover/config',stdin=json.dumps(cfg).encode())
(HERE/'.state/h1.json').write_text(json.dumps(cfg,indent=1))
print('handover: topics, rights and connector are in place')
