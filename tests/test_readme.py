"""README.md, the Makefile and CI say the same thing, and what they name exists."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from addresses import with_address, with_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))


def block_after(text: str, words: str) -> list[str]:
    """The lines of the first fenced block after ``words``."""
    found = re.search(r"```\w*\n(.*?)```", text[text.index(words) :], re.DOTALL)
    assert found, f"no block after {words!r}"
    return [line.split("   #")[0].strip() for line in found[1].splitlines()]


def test_readme_leads_with_the_short_commands() -> None:
    assert block_after(README, "# Syncpoint") == ["make demo", "make test", "make lab"]


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_make_command_in_the_text_exists(text: str) -> None:
    named = set(re.findall(r"(?:`|^)(?:[A-Z_]+=\S+ )?make ([a-z0-9-]+)", text, re.MULTILINE))
    assert named
    assert named <= TARGETS


def test_architecture_s_commands_exist() -> None:
    assert {"setup", "lab", "demo", "test", "release", "bench"} <= TARGETS


def test_ci_calls_the_readme_s_test_command() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"^step .*\bmake test$", ci, re.MULTILINE)


def test_the_tests_without_make_are_those_of_make_test() -> None:
    """Whoever has no make runs the same tools on the same things."""
    for line in block_after(README, "**The tests without make**"):
        tool = line.removeprefix("python -m ").split()[0]
        assert re.search(rf"(\$\(BIN\)/|-m ){re.escape(tool)}\b", MAKEFILE), f"make test never calls {tool}"


def test_the_map_of_folders_is_complete() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode != 0:
        pytest.skip("git is not installed or this is no clone (git comes with the package git)")
    there = {path.split("/")[0] + ("/" if "/" in path else "") for path in tracked.stdout.splitlines()}
    drawn = {line.split()[0] for line in block_after(README, "## The folders")}
    assert drawn == there


def test_the_table_of_labs_is_the_one_that_make_release_writes() -> None:
    assert with_table(README) == README, "run: make release"


def test_labs_install_the_course_from_the_address_of_pyproject() -> None:
    for notebook in [*ROOT.glob("source/*/*.ipynb"), *ROOT.glob("release/*/*.ipynb")]:
        text = notebook.read_text(encoding="utf-8")
        assert with_address(text) == text, f"{notebook.name} installs from another address; run: make release"


def test_a_changed_address_reaches_the_install_cell() -> None:
    cell = '"%pip install -q \\"syncpoint @ git+https://github.com/someone/old-name.git\\"\\n"'
    assert "someone" not in with_address(cell)
    assert with_address(cell).endswith('.git\\"\\n"')


def test_links_to_files_lead_somewhere() -> None:
    for text in (README, CONTRIBUTING):
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)\)", text):
            assert (ROOT / link).exists(), f"the link to {link} leads nowhere"


def test_the_changelog_speaks_of_this_version() -> None:
    version = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version
    assert f"\n## {version[1]} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
