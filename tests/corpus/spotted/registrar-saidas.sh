#!/usr/bin/env bash
# Um conector por banco que publica. A linha da tabela vira a mensagem: a chave e o id da entidade, o topico vem da
# coluna "canal", entao cada servico escolhe o nome.
set -euo pipefail

CONNECT="${CONNECT:-http://localhost:8083}"

registrar() {
  local servico="$1" banco="$2" usuario="$3" senha="$4"

  curl -sS -X PUT "${CONNECT}/connectors/saida-${servico}/config" \
    -H 'Content-Type: application/json' \
    -d "{
      \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
      \"database.hostname\": \"pg-loja\",
      \"database.port\": \"5432\",
      \"database.user\": \"${usuario}\",
      \"database.password\": \"${senha}\",
      \"database.dbname\": \"${banco}\",
      \"topic.prefix\": \"${servico}\",
      \"plugin.name\": \"pgoutput\",
      \"slot.name\": \"saida_${servico}\",
      \"publication.name\": \"saida_${servico}_pub\",
      \"table.include.list\": \"public.saida\",
      \"tombstones.on.delete\": \"false\",
      \"transforms\": \"saida\",
      \"transforms.saida.type\": \"io.debezium.transforms.outbox.EventRouter\",
      \"transforms.saida.table.field.event.id\": \"id\",
      \"transforms.saida.table.field.event.key\": \"id_entidade\",
      \"transforms.saida.table.field.event.payload\": \"conteudo\",
      \"transforms.saida.route.by.field\": \"canal\",
      \"transforms.saida.route.topic.replacement\": \"\\\${routedByValue}\",
      \"transforms.saida.table.fields.additional.placement\": \"evento:header:evento\",
      \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
      \"value.converter\": \"org.apache.kafka.connect.storage.StringConverter\"
    }"
  echo
}

registrar vitrine   vitrine   vitrine   vitrine
registrar pedidos   pedidos   pedidos   pedidos
registrar caixa     caixa     caixa     caixa
registrar avisos    avisos    avisos    avisos

curl -sS "${CONNECT}/connectors?expand=status" | head -c 1500
