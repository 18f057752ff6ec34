"""Judges a table of negative and positive cases where `assert` does nothing.

    python -O tests/soundness/reporter.py TABLE.py

Exit code 0: no negative earned support and every positive did; 1: the cases named did otherwise.
"""

import runpy
import sys

from lemmata.verify.kernel import check


def main(path):
    if __debug__:
        sys.exit("run this with python -O")
    table = runpy.run_path(path)
    wrong = []
    for kind, wanted in (("NEGATIVES", False), ("POSITIVES", True)):
        for name, statement, evidence in table[kind]:
            outcome = check(name, statement, evidence).outcome
            if (outcome in ("proved", "certified", "confirmed")) != wanted:
                wrong.append(f"{kind}: {name}: {outcome}")
    print(*wrong, f"{len(table['NEGATIVES'])} and {len(table['POSITIVES'])} cases", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
