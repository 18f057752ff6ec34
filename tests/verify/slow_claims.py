"""Six claims that take a moment each and leave a line in the file LEMMATA_TEST_LOG names."""

import os
import time
from functools import partial

from sympy import Integer, Symbol

from lemmata.symbolic.statements import Relation, integers
from lemmata.verify.claim import Claim
from lemmata.verify.kernel.evidence import Enumeration

n = Symbol("n")


def count_slowly(name, statement, settings):
    with open(os.environ["LEMMATA_TEST_LOG"], "a") as log:
        log.write(f"{name}\n")
    time.sleep(float(os.environ.get("LEMMATA_TEST_SECONDS", "0.2")))
    return (Enumeration(10),)


def slow_claim(index):
    return Claim(
        id=f"slow.claim-{index}",
        title="Slow to check",
        statement=Relation(n + index, ">", Integer(0), ((n, integers(1, 10)),)),
        source="by hand",
        certificate=partial(count_slowly, f"slow.claim-{index}"),
        uses=(f"slow.claim-{index - 1}",) if index == 5 else (),
    )


CLAIMS = tuple(slow_claim(index) for index in range(6))
