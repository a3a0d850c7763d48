"""Would the tests notice? Each mutant breaks the pipeline in one place, and at least one check must fail.

The first in-process pipeline's own tests, run without a GPU, pass with every wait taken out. Here a mutant is a change
of the source text, compiled and put in place of the original for the length of a test. ``-rP`` shows who killed whom.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import test_pipe_backward as backward
import test_pipe_one_f_one_b as one_f_one_b
import test_pipe_streams as streams
import test_pipe_timeline as timeline
import test_pipe_values as values
import test_pipe_worker as worker

import syncpoint as sp
from syncpoint import pipeline as P

PACKAGE = Path(P.__file__).parent
TESTS = [backward, one_f_one_b, streams, timeline, values, worker]


@dataclass(frozen=True)
class Mutant:
    number: str
    title: str
    killer: str  # the check that must fail
    module: str
    old: str
    new: str


MUTANTS = [
    Mutant("1", "the stage does not wait for its input's copy",
           "test_a_whole_pipeline_has_no_race", "engine",
           "inputs = Wait.apply(self.copier(i, j), self.computing[j], *inputs)  # [1]", "pass"),
    Mutant("2", "the copy does not wait for the stage",
           "test_a_whole_pipeline_has_no_race", "engine",
           "outputs = Wait.apply(self.computing[j], self.copier(i, j), *outputs)  # [3]", "pass"),
    Mutant("3", "only the first tensor waits, before the stage",
           "test_waiting_covers_all_tensors_of_a_tuple", "engine",
           "inputs = Wait.apply(self.copier(i, j), self.computing[j], *inputs)  # [1]",
           "inputs = (*Wait.apply(self.copier(i, j), self.computing[j], inputs[0]), *inputs[1:])"),
    Mutant("3b", "only the first tensor waits, after the stage",
           "test_waiting_covers_all_tensors_of_a_tuple", "engine",
           "outputs = Wait.apply(self.computing[j], self.copier(i, j), *outputs)  # [3]",
           "outputs = (*Wait.apply(self.computing[j], self.copier(i, j), outputs[0]), *outputs[1:])"),
    Mutant("4", "no record_stream for a copy's source",
           "test_a_source_is_kept_until_its_copy_has_read_it", "copying", "record_stream(x, source)", "pass"),
    Mutant("4b", "no record_stream for a copy's result",
           "test_a_source_is_kept_until_its_copy_has_read_it", "copying", "record_stream(y, reader)", "pass"),
    Mutant("5", "gradients come back in another order",
           "test_several_tensors_keep_their_places", "copying", "(None, None, *back)", "(None, None, *reversed(back))"),
    Mutant("6", "no dependency between micro-batches",
           "test_each_stage_goes_backward_through_the_last_micro_batch_first", "engine",
           "depend(before.tensors, now.tensors)", "(before.tensors, now.tensors)"),
    Mutant("7", "the second run draws other random numbers",
           "test_the_second_run_draws_the_same_random_numbers", "checkpointing", "self.random.restored(), ", ""),
    Mutant("7b", "the second run disturbs the random numbers",
           "test_recomputing_leaves_the_random_numbers_alone", "checkpointing", "before._set()", "pass"),
    Mutant("8", "the second run waits for the gradient",
           "test_recomputation_does_not_wait_for_the_gradient", "engine", """\
                outputs = Wait.apply(self.computing[j], self.copier(i, j), *outputs)  # [3]
            outputs = job.finalize(outputs)  # [4]
""", """\
                outputs = Wait.apply(self.computing[j], self.copier(i, j), *job.finalize(outputs))
            else:
                outputs = job.finalize(outputs)
"""),
    Mutant("9", "exceptions are swallowed",
           "test_an_exception_in_a_stage_comes_out_with_its_line[cpu]", "worker",
           "raise errors[0]", "return [(torch.zeros(1, 1),) for _ in futures]"),
    Mutant("10", "the last exception wins",
           "test_the_first_exception_in_the_schedules_order_wins", "worker", "raise errors[0]", "raise errors[-1]"),
    Mutant("11", "threads are not joined",
           "test_the_end_waits_for_a_task_that_is_still_running", "worker",
           "shutdown(wait=True, cancel_futures=True)", "shutdown(wait=False)"),
    Mutant("12", "Copy returns the tensor that it was given",
           "test_several_tensors_keep_their_places", "copying", "moved.append(y)", "moved.append(x)"),
    Mutant("13", "copies run on the compute streams",
           "test_the_replay_is_the_timeline", "engine", "if not self.own:", "if True:"),
    Mutant("14", "workers do not know the caller's grad mode",
           "test_grad_mode_and_inference_mode_are_the_callers", "modes",
           "torch.set_grad_enabled(self.grad), ", ""),
    Mutant("14b", "the second run does not know the first one's autocast",
           "test_autocast_reaches_the_second_run[cpu]", "checkpointing", "self.autocast.entered(), ", ""),
    Mutant("15", "1F1B: a copy does not wait for the stage",
           "test_pipe_one_f_one_b.test_to_the_bit[sim]", "one_f_one_b",
           "wait_stream(self.plan.copier(i, source), self.computing[source])", "pass"),
    Mutant("16", "1F1B: a stage does not wait for its input",
           "test_pipe_one_f_one_b.test_to_the_bit[sim]", "one_f_one_b", """\
        if j:
            wait_stream(self.computing[j], self.plan.copier(i, j))
        leaves""", "        leaves"),
    Mutant("17", "1F1B: a stage does not wait for its gradient",
           "test_pipe_one_f_one_b.test_to_the_bit[sim]", "one_f_one_b", """\
            wait_stream(self.computing[j], self.plan.copier(i, j))
            grads""", "            grads"),
]  # fmt: skip

CHECKS: dict[str, Callable[[], object]] = {
    check.__name__: check
    for check in (
        streams.test_a_whole_pipeline_has_no_race,
        streams.test_waiting_covers_all_tensors_of_a_tuple,
        streams.test_a_source_is_kept_until_its_copy_has_read_it,
        streams.test_several_tensors_keep_their_places,
        backward.test_each_stage_goes_backward_through_the_last_micro_batch_first,
        backward.test_the_second_run_draws_the_same_random_numbers,
        backward.test_recomputing_leaves_the_random_numbers_alone,
        timeline.test_recomputation_does_not_wait_for_the_gradient,
        timeline.test_the_replay_is_the_timeline,
        worker.test_the_first_exception_in_the_schedules_order_wins,
        worker.test_the_end_waits_for_a_task_that_is_still_running,
        worker.test_grad_mode_and_inference_mode_are_the_callers,
    )
} | {
    "test_an_exception_in_a_stage_comes_out_with_its_line[cpu]": lambda: (
        worker.test_an_exception_in_a_stage_comes_out_with_its_line("cpu")
    ),
    "test_autocast_reaches_the_second_run[cpu]": lambda: values.test_autocast_reaches_the_second_run("cpu"),
    "test_pipe_values.test_to_the_bit[sim]": lambda: values.test_to_the_bit("sim", "except_last", [3, 4], 4),
    "test_pipe_one_f_one_b.test_to_the_bit[sim]": lambda: one_f_one_b.test_to_the_bit("sim", "1f1b", [2, 2, 3], 4),
}


def modules() -> Iterator[types.ModuleType]:
    """All that may hold a reference to a function of the pipeline."""
    yield P
    yield from TESTS
    for path in sorted(PACKAGE.glob("*.py")):
        if path.stem not in ("__init__", "distributed"):
            yield importlib.import_module(f"syncpoint.pipeline.{path.stem}")


def put_in_place(mutant: Mutant, patch: pytest.MonkeyPatch) -> None:
    """Compile the changed source, and let every reference to what it defines lead to the new version."""
    original = importlib.import_module(f"syncpoint.pipeline.{mutant.module}")
    source = Path(original.__file__).read_text(encoding="utf-8")
    assert source.count(mutant.old) == 1, f"mutant {mutant.number}: its text stands {source.count(mutant.old)} times"
    changed: dict[str, object] = {"__name__": original.__name__}
    exec(compile(source.replace(mutant.old, mutant.new), original.__file__, "exec"), changed)
    for name, value in changed.items():
        before = getattr(original, name, None)
        if getattr(before, "__module__", None) == original.__name__ and isinstance(before, (type, types.FunctionType)):
            for module in modules():
                if getattr(module, name, None) is before:
                    patch.setattr(module, name, value)


def verdict(name: str) -> str:
    """What a check says now; nothing when it passes."""
    sp.sim.use(chip="T4", devices=1)
    try:
        CHECKS[name]()
    except (Exception, pytest.fail.Exception) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    return ""


@pytest.mark.parametrize("name", CHECKS)
def test_the_pipeline_as_it_is_passes_every_check(name):
    assert verdict(name) == ""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.number}: {mutant.title}")
def test_a_mutant_is_killed(mutant, monkeypatch):
    put_in_place(mutant, monkeypatch)
    said = verdict(mutant.killer)
    print(f"mutant {mutant.number} ({mutant.title}) is killed by {mutant.killer}: {said[:100]}")
    assert said, f"mutant {mutant.number} ({mutant.title}) lives: {mutant.killer} does not see it"


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.number}: {mutant.title}")
def test_everyone_who_sees_a_mutant(mutant, monkeypatch):
    """All checks against each mutant: a table of who would notice."""
    put_in_place(mutant, monkeypatch)
    seen = [name for name in CHECKS if verdict(name)]
    print(f"mutant {mutant.number} ({mutant.title}): {', '.join(seen)}")
    assert mutant.killer in seen
