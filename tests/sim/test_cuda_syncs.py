"""Truth: every statement that was observed on CUDA makes the host wait as often on sim, and launches as much."""

from __future__ import annotations

import cuda_rows
import pytest

#: What sim refuses by name, with the feature's name in the error.
OUT_OF_SCOPE = {
    "F.ctc_loss (cuda lengths)": "ctc_loss",
    "F.ctc_loss (cpu lengths)": "ctc_loss",
    "to_sparse()": "sparse",
    "to_sparse_csr()": "sparse",
    "sparse_coo_tensor": "sparse",
    "sparse_coo_tensor infer size": "sparse",
    "sparse coalesce": "sparse",
    "sparse to_dense": "sparse",
    "t.untyped_storage().resize_": "resize_",
}

#: Launches that differ: (on CUDA, on sim). A product's library calls depend on the dtype and on cuBLAS's choice; where
#: a mask selects something, CUDA's stand-in runtime counted nothing selected, since it computes no values.
OTHER_LAUNCHES = {
    "cov/corrcoef": (17, 18),
    "x[b]=cuda 0-d": (3, 4),
    "unpad_sequence (cuda lens)": (258, 322),
    "nn.MultiheadAttention key_padding_mask": (55, 37),
    "TransformerEncoder eval fastpath mask": (91, 32),
    "autocast matmul": (8, 6),
    "nested_tensor jagged": (5, 4),
    "combinations": (11, 10),
    "istft": (19, 16),
    "index backward (getitem grad)": (11, 15),
    "spectral_norm fwd": (46, 27),
    "orthogonal_init": (20, 18),
    "x[mask_list_of_bool]": (3, 4),
}

ROWS = cuda_rows.rows("op")


@pytest.mark.parametrize("row", [r for r in ROWS if r.name not in OUT_OF_SCOPE], ids=str)
@pytest.mark.filterwarnings("ignore")  # the statements are as they were observed, deprecated calls included
def test_waits_and_launches_are_those_of_cuda(row):
    cuda_rows.skip_where_composed_otherwise(row)
    t = cuda_rows.run(row)
    assert len(t.waits) == row.waits, [(w.kind, w.op) for w in t.waits]
    launches = sum(launch.kernels for launch in t.launches)
    cuda, sim = OTHER_LAUNCHES.get(row.name, (row.launches, row.launches))
    assert cuda == row.launches, "the list of differences has a wrong figure for CUDA"
    assert launches == sim, [(launch.op, launch.kernels) for launch in t.launches]


@pytest.mark.parametrize("row", cuda_rows.rows("device-module"), ids=str)
@pytest.mark.filterwarnings("ignore")
def test_calls_of_the_device_module_wait_as_torch_cuda_does(row):
    """The observed counts are of stream synchronisations; waits for a whole device or an event are other calls."""
    t = cuda_rows.run(row)
    assert sum(w.op not in ("synchronize", "Event.synchronize") for w in t.waits) == row.waits
    if "Graph" not in row.setup:  # a replay is one launch here and a call of its own kind there
        assert sum(launch.kernels for launch in t.launches) == row.launches


@pytest.mark.parametrize("row", [r for r in ROWS if r.name in OUT_OF_SCOPE], ids=str)
@pytest.mark.filterwarnings("ignore")
def test_what_is_out_of_scope_is_refused_by_name(row):
    with pytest.raises(NotImplementedError, match=f"sim does not support.*{OUT_OF_SCOPE[row.name]}"):
        cuda_rows.run(row)


def test_little_is_out_of_scope_and_few_launches_differ():
    assert len(ROWS) == 408
    assert len(cuda_rows.rows("device-module")) == 28
    assert len(OUT_OF_SCOPE) <= 15
    assert len(OTHER_LAUNCHES) <= 0.1 * (len(ROWS) - len(OUT_OF_SCOPE))
    names = [r.name for r in ROWS]
    assert all(names.count(name) == 1 for name in (*OUT_OF_SCOPE, *OTHER_LAUNCHES))
