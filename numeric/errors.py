"""The one exception root of `numeric`."""


class NumericError(ValueError):
    """What is wrong, where, what was expected, what came, and what to do about it."""
