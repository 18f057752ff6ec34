# python-flint's annotations know neither mixed balls nor `analytic`; untyped to the type checker.
from typing import Any

def __getattr__(name: str) -> Any: ...
