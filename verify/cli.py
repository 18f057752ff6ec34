"""The command `lemmata`.

Exit code 0: every verdict is the expected one; 1: some are not; 2: the request cannot be met;
3: derivation and experiment disagree; 70: an error in lemmata itself; 130: interrupted.
Set LEMMATA_TRACEBACK=1 to see where an error arose.
"""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from rich.text import Text

from . import console
from .console import Screen
from .errors import VerifyError
from .failures import RequestError, StoppedError

UNMET, INTERNAL_ERROR, INTERRUPTED = 2, 70, 130
STDOUT = "-"

app = typer.Typer(
    name="lemmata",
    help="Claims about transformers: derived, tested and judged by a small kernel.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Profile(StrEnum):
    """How much the experiments may spend."""

    quick = "quick"
    full = "full"


Targets = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PATTERN|FILE.py]...", help="Ids, globs, a file of your own claims."),
]
JsonFile = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON; - prints.")
]
JunitFile = Annotated[
    str | None, typer.Option("--junit", metavar="FILE", help="Write them as JUnit XML; - prints.")
]
ProfileOption = Annotated[Profile, typer.Option(help="How much the experiments may spend.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the experiments.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes to use on this machine.")]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:N or mps.")]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler whose workers to use.")
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Where the record goes, or is continued. Default: runs/TIME"),
]
Mutants = Annotated[bool, typer.Option("--mutants", help="Check the false variants too.")]
Simulate = Annotated[bool, typer.Option("--simulate", help="Run the experiments again too.")]


def show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        Screen().say(f"lemmata {version('lemmata')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Claims about transformers: derived, tested and judged by a small kernel."""


@app.command("list")
def list_claims(
    targets: Targets = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON array.")] = False,
) -> None:
    """Show the claims, and the verdict that each expects."""
    from .targets import select

    with console.aside():
        claims = select(targets or ()).claims
    if as_json:
        from .export import listing

        emit(STDOUT, document(listing(claims)))
        return
    screen = Screen()
    rows = [[claim.id, console.verdict_text(claim.expected), claim.title] for claim in claims]
    console.table(screen, ("claim", "expected", "title"), rows, fixed=2)
    if screen.is_terminal:
        screen.say(f"\n{console.count(len(claims), 'claim')}. Check them with: lemmata verify")


@app.command()
def verify(
    targets: Targets = None,
    json_file: JsonFile = None,
    junit_file: JunitFile = None,
    profile: ProfileOption = Profile.quick,
    seed: Seed = 0,
    jobs: Jobs = 1,
    device: Device = "auto",
    cluster: Cluster = None,
    out: Out = None,
    mutants: Mutants = False,
) -> None:
    """Derive, test and judge claims; leave a record that anyone can re-check."""
    from . import export
    from .catalogue import FEWEST_MUTANTS
    from .claim import Settings
    from .request import Request
    from .store import RunFolder

    check_outputs(json_file, junit_file)
    settings = Settings(cast(Any, profile.value), seed, device)
    request = Request(tuple(targets or ()), settings, jobs, cluster, out, mutants)
    selection, run = request.perform()
    failures = request.failures(selection, run.results)
    screen = Screen(stderr=STDOUT in (json_file, junit_file))
    console.results_table(screen, run.results)
    console.failures(screen, failures)
    few = [claim.id for claim in selection.claims if len(claim.mutants) < FEWEST_MUTANTS]
    if few:
        screen.say(f"\nFewer than {FEWEST_MUTANTS} mutants to try the check on: {', '.join(few)}")
    screen.say(f"\n{run.sentence}")
    if json_file:
        environment = RunFolder(run.folder).header()["environment"]
        emit(json_file, document(export.verification(run.results, environment)))
    if junit_file:
        emit(junit_file, export.junit(failures, run.results))
    raise typer.Exit(run.exit_code)


@app.command()
def mutants(
    targets: Targets = None,
    json_file: JsonFile = None,
    profile: ProfileOption = Profile.quick,
    seed: Seed = 0,
    jobs: Jobs = 1,
    device: Device = "auto",
    cluster: Cluster = None,
    out: Out = None,
) -> None:
    """Check that every false variant of the claims is refuted."""
    from .claim import Settings
    from .export import mutation
    from .request import Request

    check_outputs(json_file)
    settings = Settings(cast(Any, profile.value), seed, device)
    request = Request(tuple(targets or ()), settings, jobs, cluster, out, True, "mutants")
    selection, run = request.perform()
    asked = {claim.id for claim in selection.claims}
    results = [result for result in run.results if result.id in asked]
    screen = Screen(stderr=json_file == STDOUT)
    console.mutants_table(screen, results)
    console.failures(screen, request.survivors(selection, results))
    if json_file:
        emit(json_file, document(mutation(results)))
    killed, total = (sum(getattr(r, of) for r in results) for of in ("killed", "total"))
    screen.say(f"\n{killed} of {console.count(total, 'mutant')} refuted. Record: {run.folder}")
    raise typer.Exit(int(killed < total))


@app.command()
def show(
    targets: Annotated[list[str], typer.Argument(metavar="ID|FILE.py...", help="What to show.")],
) -> None:
    """Show a claim in full: statement, derivation line by line, mutants, verdict."""
    from .exhibit import show_claim
    from .targets import check_now, select

    with console.aside():
        selection = select(targets)
        run = check_now(selection)
    screen = Screen()
    results = {result.id: result for result in run.results}
    for number, claim in enumerate(selection.claims):
        if number:
            screen.say()
        show_claim(screen, claim, results[claim.id])
    raise typer.Exit(run.exit_code)


@app.command()
def errata(targets: Targets = None) -> None:
    """Show the refuted statements of the sources, each with its counterexample and correction."""
    from dataclasses import replace

    from .exhibit import show_erratum
    from .targets import check_now, select

    with console.aside():
        selection = select(targets or ())
    refuted = tuple(claim for claim in selection.claims if claim.expected == "refuted")
    screen = Screen()
    if not refuted:
        screen.say("No statement of the sources is refuted.")
        return
    with console.aside():
        run = check_now(replace(selection, claims=refuted))
    results = {result.id: result for result in run.results}
    for number, claim in enumerate(refuted):
        if number:
            screen.say()
        show_erratum(screen, claim, results[claim.id], selection.catalogue)
    raise typer.Exit(run.exit_code)


@app.command()
def recheck(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    simulate: Simulate = False,
) -> None:
    """Rebuild every verdict of a run from its record; fail on any edited field."""
    from .recheck import recheck as audit

    with console.aside():
        checked = audit(run, simulate=simulate)
    screen = Screen()
    for item in checked:
        verdict = Text("ok    ", "green") if item.ok else Text("FAILED", "bold red")
        screen.say(verdict, f"  {item.id}")
        for line in (*item.notes, *item.problems):
            text = console.one_line(line).removeprefix(f"{item.id}: ")
            screen.say(f"        {text}")
    failed = [item.id for item in checked if not item.ok]
    if failed:
        screen.say(f"\nThe record in {run} does not stand: {', '.join(failed)}")
    else:
        screen.say(f"\nThe record in {run} stands: every verdict follows from its evidence.")
    raise typer.Exit(int(bool(failed)))


@app.command()
def doctor() -> None:
    """Check the installation; say what is missing and what to do about it."""
    from .doctor import examine

    screen = Screen()
    checkups = examine()
    console.table(
        screen,
        ("", "", "found", "remedy"),
        [[console.checkup_text(item), item.name, item.found, item.remedy] for item in checkups],
        fixed=2,
    )
    raise typer.Exit(int(any(not item.ok and not item.optional for item in checkups)))


def check_outputs(*files: str | None) -> None:
    """Say before a run, not after, that its results cannot be written where asked."""
    given = [file for file in files if file is not None]
    if given.count(STDOUT) > 1:
        raise RequestError("--json - and --junit -: only one of them can be printed. Name a file.")
    for file in given:
        path = Path(file)
        if file != STDOUT and (path.is_dir() or not os.access(path.parent, os.W_OK)):
            raise RequestError(f"{file}: expected the name of a file that can be written.")


def document(data: Any) -> str:
    return json.dumps(data, indent=2) + "\n"


def emit(file: str, text: str) -> None:
    """Write `text` to the file, or to standard output as it is."""
    if file != STDOUT:
        Path(file).write_text(text, encoding="utf-8")
        return
    stream = Screen().file
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        console.silence(stream.fileno())


def main() -> None:
    """Run the command; whatever happens, the user sees words and an exit code, no traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app(prog_name="lemmata")
    except StoppedError as stop:
        fail("interrupted: ", str(stop), INTERRUPTED)
    except KeyboardInterrupt:
        fail("interrupted", "", INTERRUPTED)
    except VerifyError as error:
        fail("error: ", str(error), UNMET)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        fail("error: ", f"{place}{error.strerror or error}", UNMET)
    except Exception as error:
        fail(
            "internal error: ",
            f"{console.one_line(f'{type(error).__name__}: {error}')}\nThis is a fault of lemmata. "
            "Please report it with the output of the same command under LEMMATA_TRACEBACK=1.",
            INTERNAL_ERROR,
        )


def fail(kind: str, message: str, code: int) -> None:
    if os.environ.get("LEMMATA_TRACEBACK"):
        traceback.print_exc()
    Screen(stderr=True).say(Text(kind, "bold red"), message)
    sys.exit(code)
