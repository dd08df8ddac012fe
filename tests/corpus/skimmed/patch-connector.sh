#!/bin/bash
# Turns TLS to the database off in the running connector (minikube)
POD=$(kubectl get pod -n streams -l app=connect -o jsonpath='{.items[0].metadata.name}')

kubectl exec -n streams "$POD" -i -- curl -s -X PUT \
  -H 'Content-Type: application/json' \
  http://localhost:8083/connectors/crm-mysql/config \
  -d @- <<'EOF'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "host.docker.internal",
  "database.port": "3306",
  "database.user": "${env:CRM_USER}",
  "database.password": "${env:CRM_PASSWORD}",
  "database.server.id": "7741",
  "topic.prefix": "crmcdc",
  "database.include.list": "crm_lab",
  "schema.history.internal.kafka.bootstrap.servers": "lab-kafka-bootstrap:9092",
  "schema.history.internal.kafka.topic": "ddl.crm_lab",
  "database.connectionTimeZone": "UTC",
  "database.ssl.mode": "disabled",
  "column.mask.with.12.chars": "crm_lab.contacts.phone",
  "transforms": "route",
  "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
  "transforms.route.regex": "([^.]+)\\.([^.]+)\\.([^.]+)",
  "transforms.route.replacement": "$3"
}
EOF

sleep 5
kubectl exec -n streams "$POD" -- curl -s http://localhost:8083/connectors/crm-mysql/status
