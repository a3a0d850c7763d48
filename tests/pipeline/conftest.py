import pytest

import syncpoint as sp


@pytest.fixture(autouse=True)
def fresh_machine():
    """Every test starts with one simulated T4, and leaves one."""
    sp.sim.use(chip="T4", devices=1)
    yield
    sp.sim.use(chip="T4", devices=1)
