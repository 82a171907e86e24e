"""A Dask cluster gives what one process gives."""

from __future__ import annotations

import pytest
from batches import whole

from mjscore.record.context import Context


def test_a_local_cluster_gives_the_same(mixed):
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    from mjscore.batch.cluster import check_on_cluster

    parts = check_on_cluster([str(mixed)], Context(), "json", workers=2)
    assert "".join(part.text for part in parts) == whole(mixed, "json", 1)
