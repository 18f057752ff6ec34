"""Shared by the tests of `verify`."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cluster():
    """The address of a real Dask scheduler with two worker processes, all on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any free port: test processes run side by side
    ) as local:
        yield local.scheduler_address


@pytest.fixture
def sample_file():
    """A file of claims, as a user might give it."""
    return Path(__file__).with_name("sample_claims.py")
