"""Results of `autograder check` as a page for GitHub Actions: ``python -m autograder.export.summary a.json b.json``.

Prints Markdown for ``$GITHUB_STEP_SUMMARY``: partial credit, exercise by exercise, with the messages. If the variable
``GITHUB_OUTPUT`` is set, ``score`` and ``max_score`` are written there for later steps. The exit code is 0 if every
file holds results: that points are missing is no failure of the run.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from autograder.sheets import number


def main(paths: list[str]) -> int:
    """The command; 1 if a file holds no results."""
    total, most, broken = 0.0, 0.0, 0
    for path in map(Path, paths):
        try:
            results = json.loads(path.read_text(encoding="utf-8"))
            text = markdown(path.stem, results)
        except (OSError, ValueError, KeyError, TypeError):
            print(f"## {_plain(path.stem)}\n\nIt could not be graded: see the log of this run.\n")
            broken += 1
            continue
        print(text)
        total += results["score"]
        most += sum(test["max_score"] for test in results["tests"])
    print(f"**{number(total)} of {number(most)} points.** This is feedback, not a grade.")
    if output := os.environ.get("GITHUB_OUTPUT"):
        with Path(output).open("a", encoding="utf-8") as file:
            file.write(f"score={number(total)}\nmax_score={number(most)}\n")
    return 1 if broken else 0


def markdown(name: str, results: dict[str, Any]) -> str:
    """One notebook's results."""
    most = sum(test["max_score"] for test in results["tests"])
    lines = [f"## {_plain(name)}: {number(results['score'])} of {number(most)} points", ""]
    lines += [f"- {_plain(line)}" for line in str(results.get("output", "")).splitlines() if line]
    lines += ["", "| check | points | |", "| --- | --- | --- |"]
    for test in results["tests"]:
        points = f"{number(test['score'])} / {number(test['max_score'])}"
        lines.append(f"| {_plain(test['name'])} | {points} | {_plain(test.get('output', ''))} |")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Text in which nothing is Markdown or HTML."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&@-])", r"\\\1", str(text)).replace("\n", " ").strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
