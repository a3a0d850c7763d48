"""What every test shares: a quiet figure backend, repeatable random examples, and no silent skips in CI.

A test that lacks a tool or a data set skips and says which (``-rs`` prints the reasons). Where
``SYNCPOINT_REQUIRE_ALL=1`` is set, as in ``.ci/run``, such a skip is a failure: only hardware and operating
systems that the machine does not have may be missing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator

import pytest

#: Answers of learners and programs of attackers; some have names like tests.
collect_ignore = ["answers", "autograder/attacks"]
os.environ.setdefault("MPLBACKEND", "Agg")  # before anything imports pyplot: no test opens a window

#: What no installation command can bring: a skip that names one of these is honest anywhere.
HONEST_ANYWHERE = re.compile(r"\b(CUDA|MPS|GPU|Windows|macOS|not visible to a dispatch mode)\b", re.IGNORECASE)


def pytest_configure(config: pytest.Config) -> None:
    """Make hypothesis repeatable: the same examples everywhere, and no time limit on one."""
    try:
        from hypothesis import settings
    except ModuleNotFoundError:  # the checks in tests/versions bring only what their tests need
        return
    settings.register_profile("syncpoint", deadline=None, derandomize=True)
    settings.load_profile("syncpoint")


def pytest_itemcollected(item: pytest.Item) -> None:
    """All browser tests run in one process: they share one JupyterLab and one browser."""
    if item.get_closest_marker("browser"):
        item.add_marker(pytest.mark.xdist_group("browser"))


def skip_is_a_failure(reason: str) -> bool:
    """Whether this skip hides a tool that the machine was told to have."""
    return os.environ.get("SYNCPOINT_REQUIRE_ALL") == "1" and not HONEST_ANYWHERE.search(reason)


def refuse(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skipped report into a failed one when its reason could be mended."""
    if report.skipped and not hasattr(report, "wasxfail") and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2]
        if skip_is_a_failure(reason):
            report.outcome = "failed"
            report.longrepr = f"skipped where SYNCPOINT_REQUIRE_ALL=1 forbids it: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    refuse(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    refuse(report)
    return report
