"""Run folders: `run.json` says what was asked and where, `claims/ID.json` what came of it.

Files appear whole or not at all (written aside, synced, renamed), so that a run killed at any
moment leaves only finished records. Each file is sealed by a digest of its other fields, and
each claim's record names the digest of the header it belongs to. One process at a time writes
to a folder; the lock vanishes with the process that holds it.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import VerifyError
from .record import SCHEMA, RecordError, differences, digest, dumps, loads, seal

HEADER = "run.json"
CLAIMS = "claims"
LOCK = ".lock"
LARGEST = 1 << 28  # bytes read from one file

FINDING = {"evidence": str, "outcome": str, "detail": str, "facts": [str]}
VERDICT = {
    "outcome": str,
    "facts": [str],
    "uses": [str],
    "findings": [FINDING],
    "detail": str,
}
SETTINGS = {"profile": str, "seed": int, "device": str, "alpha": str}
MUTANT = {
    "name": str,
    "why": str,
    "statement": dict,
    "evidence": [dict],
    "verdict": VERDICT,
    "errors": [str],
}
RECORD_SHAPE = {
    "schema": str,
    "run": str,
    "id": str,
    "title": str,
    "source": str,
    "expected": str,
    "statement": dict,
    "statement_text": str,
    "statement_hash": str,
    "hypotheses": [str],
    "uses": [str],
    "corrects": (str, None),
    "corrected_by": (str, None),
    "settings": SETTINGS,
    "evidence": [dict],
    "verdict": VERDICT,
    "errors": [str],
    "mutants": ([MUTANT], None),
    "seconds": {"produce": float, "judge": float},
    "digest": str,
}
HEADER_SHAPE = {
    "schema": str,
    "settings": SETTINGS,
    "shares": int,
    "mutants": bool,
    "source": ({"path": str, "sha256": str}, None),
    "selection": [str],
    "environment": {
        "python": str,
        "platform": str,
        "packages": dict,
        "code": str,
        "device": str,
    },
    "digest": str,
}


class StoreError(VerifyError):
    """A folder that cannot be written, or belongs to another run."""


class RunFolder:
    """A folder with the records of one run."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"RunFolder({str(self.path)!r})"

    def header(self) -> dict[str, Any]:
        """The header, with its form and seal checked."""
        path = self.path / HEADER
        if not path.exists():
            raise StoreError(
                f"{self.path}: expected a run folder; it has no {HEADER}. Give the folder that "
                "`lemmata verify` named at its end."
            )
        return _read(path, HEADER_SHAPE)

    def record(self, id: str) -> dict[str, Any]:
        """The record of one claim, with its form and seal checked."""
        path = self.record_path(id)
        data = _read(path, RECORD_SHAPE)
        if data["id"] != id:
            raise RecordError(f"{path}: id: expected {id!r}, as the file name; got {data['id']!r}.")
        return data

    def record_path(self, id: str) -> Path:
        return self.path / CLAIMS / f"{id}.json"

    def stray(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Names in the folder of records that belong to none of these claims."""
        folder = self.path / CLAIMS
        names = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
        names -= {f"{id}.json" for id in ids}
        return tuple(sorted(name for name in names if not _is_aside(name)))

    @contextmanager
    def writing(self, header: dict[str, Any]) -> Iterator[str]:
        """Hold the folder for the run with this header, new or resumed; gives its digest."""
        sealed = seal(header)
        try:
            (self.path / CLAIMS).mkdir(parents=True, exist_ok=True)
            lock = open(self.path / LOCK, "a+")  # noqa: SIM115 (held beyond this block)
        except OSError as error:
            raise StoreError(
                f"{self.path}: expected a folder to write to; got {error.strerror}. "
                "Choose another with --out."
            ) from None
        with lock:
            _hold(lock.fileno(), self.path)
            self._begin(sealed)
            yield sealed["digest"]

    def finished(
        self, ids: Iterable[str], run: str
    ) -> tuple[dict[str, dict[str, Any]], tuple[str, ...]]:
        """The records already there of the run with this digest, and a note for each that must
        be made again."""
        records, notes = {}, []
        for id in ids:
            if not self.record_path(id).exists():
                continue
            try:
                record = self.record(id)
                if record["run"] != run:
                    raise RecordError(f"{self.record_path(id)}: belongs to another run.")
                records[id] = record
            except RecordError as error:
                notes.append(f"{id} is checked again: {error}")
        return records, tuple(notes)

    def save(self, record: dict[str, Any]) -> None:
        """Write a sealed record, whole or not at all."""
        _write(self.record_path(record["id"]), record)

    def _begin(self, header: dict[str, Any]) -> None:
        path = self.path / HEADER
        if not path.exists():
            others = {entry.name for entry in self.path.iterdir()} - {LOCK, CLAIMS}
            others = {name for name in others if not _is_aside(name)} | set(self.stray(()))
            if others:
                raise StoreError(
                    f"{self.path}: expected a new or empty folder, or one of an earlier run; it "
                    f"holds {min(others)!r} but no {HEADER}. Choose another with --out."
                )
            _write(path, header)
            return
        changed = [
            f"{place} was {old}, now {new}"
            for place, old, new in differences(self.header(), header)
            if place != "digest"
        ]
        if changed:
            raise StoreError(
                f"{self.path}: holds another run, which cannot be continued: "
                f"{'; '.join(changed[:3])}. Choose another folder with --out, or delete this one."
            )


def check_shape(data: Any, shape: Any, where: str) -> None:
    """Raise unless `data` has the form: a type, None, [form of each item], {key: form} with
    exactly these keys, or a tuple of alternatives whose last is None."""
    if isinstance(shape, tuple):
        if data is not None:
            check_shape(data, shape[0], where)
    elif isinstance(shape, dict):
        check_shape(data, dict, where)
        for key in (*shape, *data):
            if key not in data or key not in shape:
                problem = "is missing" if key not in data else "does not belong there"
                raise RecordError(f"{where}: the field {key[:80]!r} {problem}.")
            check_shape(data[key], shape[key], f"{where}: {key}")
    elif isinstance(shape, list):
        check_shape(data, list, where)
        for index, item in enumerate(data):
            check_shape(item, shape[0], f"{where}[{index}]")
    elif type(data) is not shape:
        raise RecordError(f"{where}: expected {shape.__name__}; got {type(data).__name__}.")


def _read(path: Path, shape: dict[str, Any]) -> dict[str, Any]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a device or a pipe may have no end
            raise RecordError(f"{path}: expected a record; got something that is no plain file.")
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise RecordError(f"{path}: expected a record; got {error.strerror}.") from None
    if len(content) > LARGEST:
        raise RecordError(f"{path}: expected a record; got a file of over {LARGEST} bytes.")
    data = loads(content, str(path))
    check_shape(data, shape, str(path))
    if data["schema"] != SCHEMA:
        raise RecordError(f"{path}: schema: expected {SCHEMA!r}; got {data['schema'][:80]!r}.")
    made = digest({key: value for key, value in data.items() if key != "digest"})
    if data["digest"] != made:
        raise RecordError(
            f"{path}: digest: expected {made}, made from the other fields; got "
            f"{data['digest'][:80]!r}. The file was edited or damaged."
        )
    return data


def _write(path: Path, data: dict[str, Any]) -> None:
    aside = path.with_name(f".{path.name}.tmp")
    with open(aside, "w", encoding="utf-8") as file:
        file.write(dumps(data))
        file.flush()
        os.fsync(file.fileno())
    os.replace(aside, path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # makes the new name last, too
    finally:
        os.close(folder)


def _is_aside(name: str) -> bool:
    return name.startswith(".") and name.endswith(".tmp")


def _hold(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip()
        raise StoreError(
            f"{path}: is being written by another process ({holder or 'unknown'}). "
            "Wait for it to end, or choose another folder with --out."
        ) from None
    except OSError as error:
        raise StoreError(
            f"{path}: expected a file system with locks; got {error.strerror}. "
            "Choose a local folder with --out."
        ) from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
