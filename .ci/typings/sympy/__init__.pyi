# SymPy's own annotations call most expressions `Basic`, which no expression API accepts; to the
# type checker SymPy is therefore untyped.
from typing import Any

def __getattr__(name: str) -> Any: ...
