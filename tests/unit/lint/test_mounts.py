"""The folders of Debezium Server's container, and whether files of it outlive it."""

import pytest

from outbox_kit.lint.mounts import folders, outlives

COMPOSE = """services:
  redis:
    image: redis
    volumes: [cache:/data]
  server:
    # the relay
    volumes:
      - ./conf:/debezium/conf:ro
      - "data:/debezium/data"

    image: quay.io/debezium/server:3.6
    depends_on: [redis]
  other:
    image: postgres
    volumes:
      - pg:/var/lib
"""
POD = """containers:
- name: server
  image: debezium/server:3.0
  volumeMounts:
  - name: data
    mountPath: /debezium/data/
- name: other
  image: nginx
  volumeMounts:
  - mountPath: /elsewhere
"""
RUN = """docker run -d -v $PWD/conf:/debezium/conf \\
  --volume=data:/debezium/data --mount type=bind,target=/more quay.io/debezium/server:3.6
docker run -v x:/y redis"""


@pytest.mark.parametrize(
    ("text", "mounted"),
    [
        (COMPOSE, ["/debezium/conf", "/debezium/data"]),
        (f"# A page\n\n```yaml\n{COMPOSE}```\n", ["/debezium/conf", "/debezium/data"]),
        (POD, ["/debezium/data"]),
        (RUN, ["/debezium/conf", "/debezium/data", "/more"]),
        ("services:\n  a:\n    image: debezium/server\n", []),
        ('Container("a", image="debezium/server", volumes=[Volume(container_path="/data")])', ["/data"]),
        ('f({x: [{mountPath: "/a"}]}); f({ image: `debezium/server:${v}`, y: [{ mountPath: "/b" }] })', ["/b"]),
        ('image="debezium/server"', []),
        (COMPOSE.replace("    # the relay", "    <<: *base"), None),
        (COMPOSE + RUN, None),
        (COMPOSE.replace("debezium/server", "acme/server"), None),
        ("image: debezium/server\n" * 2, None),
        ("", None),
    ],
)
def test_the_folders_of_the_only_container(text: str, mounted: list[str] | None) -> None:
    assert folders(text) == mounted


@pytest.mark.parametrize(
    ("file", "kept"),
    [
        ("/debezium/data/offsets.dat", True),
        ("data/offsets.dat", True),
        ("./data/../data/offsets.dat", True),
        ("offsets.dat", False),
        ("/debezium/database/offsets.dat", False),
        ("/offsets.dat", True),
    ],
)
def test_a_file_on_a_volume_outlives_the_container(file: str, *, kept: bool) -> None:
    assert outlives(file, ["/debezium/data", "/offsets.dat"]) is kept
