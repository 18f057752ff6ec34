"""A claim: what is stated, where it comes from, and what would have to be rejected instead.

Claims are values. Building one checks its form and nothing else: no derivation is built, no
experiment runs and no producer is called before a worker asks for evidence. To reach a worker
in another process a claim's producers must be module-level functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

from ..symbolic.statements import Statement
from .errors import VerifyError

if TYPE_CHECKING:
    from ..symbolic.derivation import Derivation
    from .kernel.evidence import Evidence

Outcome = Literal["proved", "certified", "confirmed", "refuted", "conflict", "inconclusive"]
Profile = Literal["quick", "full"]

OUTCOMES: tuple[str, ...] = get_args(Outcome)
PROFILES: tuple[str, ...] = get_args(Profile)

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*")
_DEVICE = re.compile(r"auto|cpu|mps|cuda(:[0-9]+)?")


class ClaimError(VerifyError):
    """A claim, a mutant or settings that are not of the form described here."""


@dataclass(frozen=True)
class Settings:
    """What an experiment may depend on.

    `alpha` is the error probability of everything a run decides by sampling; the runner hands
    each claim its share.
    """

    profile: Profile = "quick"
    seed: int = 0
    device: str = "auto"
    alpha: Fraction = Fraction(1, 10**6)

    def __post_init__(self) -> None:
        _one_of("profile", self.profile, PROFILES)
        if type(self.seed) is not int or self.seed < 0:
            raise ClaimError(f"seed: expected a whole number of at least 0; got {self.seed!r}.")
        if not isinstance(self.device, str) or not _DEVICE.fullmatch(self.device):
            raise ClaimError(
                f"device: expected auto, cpu, cuda, cuda:N or mps; got {self.device!r}."
            )
        if type(self.alpha) is not Fraction or not 0 < self.alpha < 1:
            raise ClaimError(
                f"alpha: expected a Fraction between 0 and 1; got {self.alpha!r}. "
                "Write, e.g., Fraction(1, 10**6)."
            )


Experiment = Callable[[Any, Settings], "tuple[Evidence, ...]"]


class Deferred:
    """A field that holds a statement, or a function that builds it when it is first asked for.

    To list claims takes none of their statements, and some of these are large.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._place = f"_{name}"

    @overload
    def __get__(self, instance: None, owner: type) -> Deferred: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Statement: ...

    def __get__(self, instance: object | None, owner: type) -> Deferred | Statement:
        if instance is None:
            raise AttributeError("a statement has no default")
        held: Any = vars(instance)[self._place]
        if not isinstance(held, get_args(Statement)) and callable(held):
            held = vars(instance)[self._place] = held()
            _statement(str(getattr(instance, "id", getattr(instance, "name", ""))), held)
        return held

    def __set__(self, instance: object, value: Statement | Callable[[], Statement]) -> None:
        vars(instance)[self._place] = value


@dataclass(frozen=True)
class Mutant:
    """A false variant of a claim's statement, which a sound check must refute.

    `statement` may be a function without arguments that builds it, as in a claim.
    """

    name: str
    statement: Deferred = Deferred()
    why: str = ""

    def __post_init__(self) -> None:
        _text("mutant", "name", self.name)
        _text(f"mutant {self.name!r}", "why", self.why)
        _stated(f"mutant {self.name!r}", self)


@dataclass(frozen=True)
class Claim:
    """A statement with its sources of evidence.

    `derivation` proves the statement; `experiment` and `certificate` are given a statement, this
    one or a mutant's, and gather evidence about it from the other side. `statement` may be a
    function without arguments that builds the statement when it is needed. `uses` names the claims
    a derivation may cite; `corrects` and `corrected_by` link a false statement to the true one.
    """

    id: str
    title: str
    statement: Deferred = Deferred()
    source: str = ""
    expected: Outcome = "proved"
    hypotheses: tuple[str, ...] = ()
    derivation: Callable[[], Derivation] | None = None
    experiment: Experiment | None = None
    certificate: Experiment | None = None
    mutants: tuple[Mutant, ...] = ()
    uses: tuple[str, ...] = ()
    corrects: str | None = None
    corrected_by: str | None = None

    def __post_init__(self) -> None:
        if not is_id(self.id):
            raise ClaimError(
                f"id: expected family.name in lower-case letters, digits and hyphens; "
                f"got {self.id!r}. Write, e.g., 'degree.integer-optimum'."
            )
        _text(self.id, "title", self.title)
        _text(self.id, "source", self.source)
        _stated(self.id, self)
        _one_of(f"{self.id}: expected", self.expected, OUTCOMES)
        _strings(self.id, "hypotheses", self.hypotheses)
        _strings(self.id, "uses", self.uses)
        for field in ("derivation", "experiment", "certificate"):
            _producer(self.id, field, getattr(self, field))
        for field in ("corrects", "corrected_by"):
            if getattr(self, field) is not None:
                _text(self.id, field, getattr(self, field))
        self._check_mutants()

    @property
    def family(self) -> str:
        """The part of the id before the dot."""
        return self.id.partition(".")[0]

    def _check_mutants(self) -> None:
        mutants: Any = self.mutants
        if not isinstance(mutants, tuple) or not all(isinstance(m, Mutant) for m in mutants):
            raise ClaimError(f"{self.id}: mutants: expected a tuple of Mutant; got {mutants!r}.")
        names = [mutant.name for mutant in mutants]
        for name in names:
            if names.count(name) > 1:
                raise ClaimError(
                    f"{self.id}: mutants: expected distinct names; got {name!r} twice. Rename one."
                )
        for mutant in mutants:
            if _built(self) and _built(mutant) and mutant.statement == self.statement:
                raise ClaimError(
                    f"{self.id}: mutant {mutant.name!r}: expected a false variant of the "
                    "statement; got the statement itself. Change what it says."
                )


def is_id(value: object) -> bool:
    """Whether it has the form family.name; ids double as file names."""
    return isinstance(value, str) and len(value) <= 200 and _ID.fullmatch(value) is not None


def _text(where: str, field: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ClaimError(f"{where}: {field}: expected some text; got {value!r}.")


def _strings(where: str, field: str, value: object) -> None:
    if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
        raise ClaimError(
            f"{where}: {field}: expected a tuple of strings; got {value!r}. "
            "A tuple of one is written ('like this',)."
        )


def _one_of(where: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ClaimError(f"{where}: expected one of {', '.join(known)}; got {value!r}.")


def _built(holder: Claim | Mutant) -> bool:
    return isinstance(vars(holder)["_statement"], get_args(Statement))


def _stated(where: str, holder: Claim | Mutant) -> None:
    """A statement, or a function that may build one."""
    held = vars(holder)["_statement"]
    if _built(holder) or not callable(held):
        _statement(where, held)


def _statement(where: str, value: object) -> None:
    kinds = get_args(Statement)
    if type(value) not in kinds:
        raise ClaimError(
            f"{where}: statement: expected one of {', '.join(kind.__name__ for kind in kinds)}; "
            f"got {type(value).__name__} {value!r}."
        )


def _producer(where: str, field: str, value: object) -> None:
    if value is not None and not callable(value):
        raise ClaimError(
            f"{where}: {field}: expected a function, which is called when the claim is checked; "
            f"got {type(value).__name__}. Pass the function itself, without calling it."
        )
