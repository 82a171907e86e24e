"""Checking on more than one machine: chunks go to a Dask cluster, results come back in order.

An extra (``pip install 'mjscore[cluster]'``); nothing of it is loaded otherwise.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from mjscore.batch.results import ChunkResult
from mjscore.batch.run import check_chunk, in_order, parts_of
from mjscore.record.context import Context

CHUNKS_AHEAD = 4  # chunks handed out for each worker; more than for a process, since they travel


def check_on_cluster(
    paths: Iterable[str],
    context: Context,
    output: str = "json",
    address: str | None = None,
    workers: int | None = None,
) -> Generator[ChunkResult, None, None]:
    """The results of whole files, in order, worked out by the cluster at *address*.

    Without an address a local cluster of *workers* processes (one for each core) is started and ended.
    Workers need mjscore, and house rulebooks under the same paths. Raises OSError.
    """
    from distributed import Client, LocalCluster

    cluster: Any = None
    if address is None:
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)  # type: ignore[no-untyped-call]
    client: Any = Client(address or cluster)  # type: ignore[no-untyped-call]
    try:
        ahead = CHUNKS_AHEAD * max(1, len(client.scheduler_info()["workers"]))
        yield from in_order(
            parts_of(paths, context, output),
            output,
            lambda chunk: client.submit(check_chunk, chunk, pure=False),
            ahead,
        )
    finally:
        client.close()
        if cluster is not None:
            cluster.close()
