#!/usr/bin/env python3
"""Genera los application.properties y el compose de Debezium a partir de tablas.yml."""
import sys
from pathlib import Path

import yaml

PROPIEDADES = """\
# {base} -- generado, no editar
debezium.sink.type=rabbitmq
debezium.sink.rabbitmq.connection.host=${{RABBIT_HOST:-rabbit}}
debezium.sink.rabbitmq.connection.port=${{RABBIT_PORT:-5672}}
debezium.sink.rabbitmq.connection.username=${{RABBIT_USER}}
debezium.sink.rabbitmq.connection.password=${{RABBIT_PASSWORD}}
# la routing key de cada evento es <prefijo>.<esquema>.<tabla>
debezium.sink.rabbitmq.exchange=${{CDC_EXCHANGE:-ex.cdc}}

debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
debezium.source.database.hostname=${{PG_HOST}}
debezium.source.database.port=5432
debezium.source.database.user=lector
debezium.source.database.password=${{LECTOR_PASSWORD}}
debezium.source.database.dbname={base}
debezium.source.topic.prefix={prefijo}
debezium.source.table.include.list={tablas}
debezium.source.plugin.name=pgoutput
debezium.source.slot.name={ranura}
debezium.source.publication.name={publicacion}

debezium.transforms=plano
debezium.transforms.plano.type=io.debezium.transforms.ExtractNewRecordState
debezium.transforms.plano.delete.handling.mode=rewrite
debezium.transforms.plano.add.fields=op,ts_ms,db
debezium.transforms.plano.drop.tombstones=true
debezium.format.key=json
debezium.format.value=json
debezium.format.schemas.enable=false

debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat
debezium.source.snapshot.mode=initial
debezium.source.tombstones.on.delete=false
"""

SERVICIO = """\
  debezium-{base}:
    image: quay.io/debezium/server:2.7
    volumes:
      - ./conf/{base}/application.properties:/debezium/conf/application.properties:ro
      - ./datos/{base}:/debezium/data
    environment:
      - RABBIT_USER=${{RABBIT_USER}}
      - RABBIT_PASSWORD=${{RABBIT_PASSWORD}}
      - LECTOR_PASSWORD=${{LECTOR_PASSWORD}}
      - CDC_EXCHANGE=${{CDC_EXCHANGE:-ex.cdc}}
      - PG_HOST=db
    depends_on: [db, rabbit]
"""


def enlaces(bases):
    """Exchange de tipo topic, una cola por tabla, enlazada por su routing key."""
    salida = {"exchanges": [{"name": "ex.cdc", "type": "topic", "durable": True}], "queues": [], "bindings": []}
    for base, tablas in bases.items():
        prefijo = base.replace("_db", "")
        for tabla in tablas:
            clave = f"{prefijo}.{tabla}"
            salida["queues"].append({"name": f"cola.{clave}", "type": "quorum"})
            salida["bindings"].append({"exchange": "ex.cdc", "queue": f"cola.{clave}", "routing_key": clave})
    return salida


def main():
    bases = yaml.safe_load(Path("tablas.yml").read_text())["bases"]
    compose = "services:\n"
    for base, tablas in bases.items():
        carpeta = Path("conf") / base
        carpeta.mkdir(parents=True, exist_ok=True)
        (carpeta / "application.properties").write_text(PROPIEDADES.format(
            base=base, prefijo=base.replace("_db", ""), tablas=",".join(tablas),
            ranura=f"cdc_{base}", publicacion=f"pub_{base}"))
        compose += SERVICIO.format(base=base)
    Path("docker-compose.cdc.yml").write_text(compose)
    Path("rabbit.yml").write_text(yaml.dump(enlaces(bases)))


if __name__ == "__main__":
    sys.exit(main())
