"""What the command line shows: tables, progress, failures.

Results go to standard output, progress and errors to standard error. Off a terminal nothing is
wrapped, cut or coloured, so that ids survive a pipe. Text from claims is shown as text: never
read as markup, and control characters are spelled out.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from .doctor import Checkup
    from .runner import Result

STYLES = {
    "proved": "green",
    "certified": "green",
    "confirmed": "green",
    "refuted": "yellow",
    "inconclusive": "magenta",
    "conflict": "bold red",
}
# Wider than any line, yet small enough for rich's arithmetic on widths.
UNLIMITED = 1_000_000
# The line breaks and tabs of ordinary text.
KEPT = "\n\t"
BRIEF = 240  # letters of what was found


def clean(text: object) -> str:
    """`text` with control and direction characters spelled out: it cannot drive a terminal."""
    return "".join(
        char.encode("unicode_escape").decode()
        if unicodedata.category(char) in ("Cc", "Cf", "Cs") and char not in KEPT
        else char
        for char in str(text)
    )


def one_line(text: object) -> str:
    """`text` on one line, runs of white space made one blank."""
    return clean(" ".join(str(text).split()))


class Screen(Console):
    """A rich console without markup that outlives its reader.

    When the reader of a pipe goes away (`lemmata list | head`) the rest goes nowhere and the
    command still ends with its own exit code.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        stream = sys.stderr if stderr else sys.stdout
        width = None if stream is not None and stream.isatty() else UNLIMITED
        super().__init__(stderr=stderr, markup=False, emoji=False, highlight=False, width=width)

    def on_broken_pipe(self) -> None:
        silence(self.file.fileno())

    def say(self, *parts: str | Text) -> None:
        """One line of plain strings and styled text, whatever its length."""
        text = Text.assemble(*(part if isinstance(part, Text) else clean(part) for part in parts))
        self.print(text, soft_wrap=True)


def aside() -> AbstractContextManager[object]:
    """What the code of claims prints meanwhile goes to standard error: results stay clean."""
    return redirect_stdout(sys.stderr)


def silence(descriptor: int) -> None:
    """Send what is still written to `descriptor` nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def verdict_text(outcome: str) -> Text:
    return Text(clean(outcome), STYLES.get(outcome, ""))


def mark(result: Result) -> Text:
    if result.outcome == "conflict":
        return Text("!", "bold red")
    return Text("✓", "green") if result.as_expected else Text("✗", "bold red")


def table(
    screen: Screen, header: Sequence[str], rows: Sequence[Sequence[str | Text]], fixed: int = 1
) -> None:
    """Aligned columns; on a terminal with a header, where all but the first `fixed` may wrap."""
    if not rows:
        return
    cells = [[cell if isinstance(cell, Text) else Text(one_line(cell)) for cell in r] for r in rows]
    widths = [max(cell.cell_len for cell in column) for column in zip(*cells, strict=True)]
    if not screen.is_terminal:
        for row in cells:
            padded = (
                cell.plain + " " * (width - cell.cell_len)
                for cell, width in zip(row, widths, strict=True)
            )
            screen.say("  ".join(padded).rstrip())
        return
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=bool(header))
    for index, (name, width) in enumerate(zip(header or [""] * len(widths), widths, strict=True)):
        if index < fixed:
            grid.add_column(name, no_wrap=True, min_width=width)
        else:
            grid.add_column(name, overflow="fold")
    for row in cells:
        grid.add_row(*row)
    screen.print(grid)


def paragraph(screen: Screen, label: str, value: str | Text) -> None:
    """A label and text beside it, which on a terminal wraps under its own beginning."""
    text = value if isinstance(value, Text) else Text(one_line(value))
    if not screen.is_terminal:
        screen.say(label, text)
        return
    grid = Table.grid()
    grid.add_column(no_wrap=True, min_width=len(label))
    grid.add_column(overflow="fold")
    grid.add_row(Text(label, "dim"), text)
    screen.print(grid)


def failures(screen: Screen, texts: Mapping[str, str]) -> None:
    """What went wrong, claim by claim."""
    for text in texts.values():
        first, _, rest = text.partition("\n")
        screen.say()
        screen.say(Text(clean(first), "bold red"))
        screen.say(rest)


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def checkup_text(item: Checkup) -> Text:
    if item.ok:
        return Text("ok", "green")
    return Text("missing", "yellow" if item.optional else "bold red")


def seconds_text(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"


def brief(detail: str) -> str:
    """What was found in a line or two; the record has all of it."""
    return detail if len(detail) <= BRIEF else f"{detail[:BRIEF].rsplit(' ', 1)[0]} …"


def mutants_text(result: Result) -> str:
    return "" if result.total is None else f"{result.killed}/{result.total}"


def results_table(screen: Screen, results: Sequence[Result]) -> None:
    """One row a claim: verdict, mutants where they were run, time and what was found."""
    mutants = any(result.total is not None for result in results)
    header = ["", "claim", "verdict", *(["mutants"] if mutants else []), "time", "found"]
    rows = [
        [
            mark(result),
            result.id,
            verdict_text(result.outcome),
            *([mutants_text(result)] if mutants else []),
            seconds_text(result.seconds),
            brief(result.detail),
        ]
        for result in results
    ]
    table(screen, header, rows, fixed=len(header) - 1)


def mutants_table(screen: Screen, results: Sequence[Result]) -> None:
    """One row a claim: how many of its mutants were refuted."""
    rows = [
        [
            Text("✓", "green") if result.killed == result.total else Text("✗", "bold red"),
            result.id,
            mutants_text(result) if result.total else "none to try",
        ]
        for result in results
    ]
    table(screen, ("", "claim", "refuted"), rows, fixed=3)


@contextmanager
def progress(total: int) -> Iterator[Callable[[Result], None]]:
    """Report each finished claim on standard error: a live bar on a terminal, lines elsewhere."""
    screen = Screen(stderr=True)
    if not screen.is_terminal:
        yield _lines(screen, total)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    last = TextColumn("{task.fields[last]}", markup=False)
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), last)
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task("", total=total, last="")

        def finished(result: Result) -> None:
            bar.update(task, advance=1, last=f"{result.id} {result.outcome}")

        yield finished


def _lines(screen: Screen, total: int) -> Callable[[Result], None]:
    done = 0

    def finished(result: Result) -> None:
        nonlocal done
        done += 1
        how = "from the record" if result.resumed else seconds_text(result.seconds)
        screen.say(f"[{done}/{total}] {result.id} {result.outcome} ({how})")

    return finished
