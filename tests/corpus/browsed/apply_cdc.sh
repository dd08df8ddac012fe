#!/usr/bin/env bash
# PostgreSQL, Connect and the connector of the card operations on the cluster
set -euo pipefail

PG_NS=${PG_NS:-cards}
CDC_NS=${CDC_NS:-cdc}
PG_USER=${PG_USER:-postgres}
PG_DB=${PG_DB:-cards}

register_connector() {
  local pod
  pod=$(kubectl get pod -n "$CDC_NS" -l app=debezium-connect -o jsonpath='{.items[0].metadata.name}')

  until kubectl exec -n "$CDC_NS" "$pod" -- curl -sf http://localhost:8083/ >/dev/null; do
    sleep 5
  done

  # The role of the connector may not create publications (no CREATE on the database):
  # the administrator makes it before the connector is registered.
  kubectl exec -n "$PG_NS" deployment/postgresql -- \
    psql -U "$PG_USER" -d "$PG_DB" -c \
    "CREATE PUBLICATION cards_publication FOR TABLE public.card_operations;" \
    2>/dev/null || echo "publication is there already"

  local pg_host="postgresql.${PG_NS}.svc.cluster.local"
  kubectl exec -n "$CDC_NS" "$pod" -- \
    curl -sf -X POST http://localhost:8083/connectors \
      -H 'Content-Type: application/json' \
      -d "{
        \"name\": \"cards-connector\",
        \"config\": {
          \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
          \"tasks.max\": \"1\",
          \"database.hostname\": \"${pg_host}\",
          \"database.port\": \"5432\",
          \"database.user\": \"${CDC_USER}\",
          \"database.password\": \"${CDC_PASSWORD}\",
          \"database.dbname\": \"${PG_DB}\",
          \"topic.prefix\": \"cdc\",
          \"table.include.list\": \"public.card_operations\",
          \"plugin.name\": \"pgoutput\",
          \"slot.name\": \"cards_slot\",
          \"publication.name\": \"cards_publication\",
          \"publication.autocreate.mode\": \"disabled\",
          \"decimal.handling.mode\": \"string\",
          \"time.precision.mode\": \"adaptive\"
        }
      }" || echo "connector exists or was refused, look at its status"
}

kubectl apply -n "$PG_NS" -f k8s/postgresql.yaml
kubectl apply -n "$CDC_NS" -f k8s/debezium-connect.yaml
kubectl rollout status -n "$CDC_NS" deployment/debezium-connect --timeout=300s
register_connector
