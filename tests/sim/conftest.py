import pytest

import syncpoint as sp


@pytest.fixture(autouse=True)
def one_t4():
    """Every test starts with one simulated T4 and the clock at zero."""
    sp.sim.use(chip="T4", devices=1)
    yield
    sp.sim.use(chip="T4", devices=1)
