"""`python -m tests.support.dtm URL`: the cases against a server of DTM, beside what this coordinator answers.

URL: of a running server, such as http://127.0.0.1:36789/api/dtmsvr. `go install github.com/dtm-labs/dtm@v1.19.0` builds
one in some minutes; it needs no database with `Store: {Driver: boltdb}`, and asks soon with `TransCronInterval: 1`.
"""

import json
import sys
import tempfile
import uuid
from pathlib import Path

from tests.support import dtm
from tests.support.coordinators import shop_of
from tests.support.servers import SERVERS
from tests.support.toolchain import DTM, go_program, run


def main(url: str) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        SERVERS["postgres-18"]() as server,
        shop_of(server, Path(folder)) as shop,
    ):
        for statement in dtm.TABLES:
            server.ask(statement, database=shop.name)
        dsn = str(server.dsn(shop.name))
        environment = {"DTM_SERVER": url, "DTM_PREFIX": f"{uuid.uuid4().hex[:8]} ", "DTM_DATABASE": dsn}
        results = json.loads(run(go_program(dtm.PROGRAM, DTM), folder=Path(folder), **environment))
    for case, steps in sorted(dtm.words(results).items()):
        print(f"{case}: {', '.join(steps)}; the coordinator: {', '.join(dtm.EXPECTED[case])}")
    print(json.dumps(results["calls"], indent=2))


if __name__ == "__main__":
    main(sys.argv[1])
