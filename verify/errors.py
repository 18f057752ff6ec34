"""The one exception root of `verify`."""


class VerifyError(ValueError):
    """What is wrong, where, what was expected, what came, and what to do about it."""
