"""Settings for the whole suite."""

from hypothesis import HealthCheck, settings

# The same cases in every run, however slow the machine; a failure then always reproduces.
settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
# Fresh cases, many of them: pytest --hypothesis-profile explore
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("steady")
