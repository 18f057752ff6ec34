"""Finds the packages, so that a new family folder installs without being listed anywhere.

The folders `symbolic`, `numeric` and `verify` install as `lemmata.symbolic` and so on;
`pyproject.toml` maps them, and holds everything else.
"""

from setuptools import find_packages, setup

FOLDERS = ("symbolic", "numeric", "verify")

setup(
    packages=[
        f"lemmata.{package}"
        for folder in FOLDERS
        for package in find_packages(include=[folder, f"{folder}.*"])
    ]
)
