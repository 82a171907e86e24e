"""Checking on more than one machine: chunks go to a Dask cluster, results come back in order.

An extra (``pip install 'mjscore[cluster]'``); nothing of it is loaded otherwise.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from typing import Any

from mjscore.batch.chunks import Chunk, ChunkResult, check_chunk, check_rest, chunks
from mjscore.record.reader import Context

_AHEAD = 4  # chunks under way for each worker


def check_on_cluster(
    paths: Iterable[str],
    context: Context,
    output: str = "json",
    address: str | None = None,
    workers: int | None = None,
) -> Generator[ChunkResult, None, None]:
    """The results of whole files, in order, worked out by the cluster at *address*.

    Without an address a local cluster of so many *workers* (one for each core) is started and ended.
    Workers need mjscore, and house rulebooks under the same paths. Raises OSError.
    """
    from distributed import Client, LocalCluster

    cluster: Any = None
    if address is None:
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)  # type: ignore[no-untyped-call]
    client: Any = Client(address or cluster)  # type: ignore[no-untyped-call]
    try:
        ahead = _AHEAD * max(1, len(client.scheduler_info()["workers"]))
        waiting: deque[Any] = deque()
        for path in paths:
            for part in chunks(path, context, output):
                if not isinstance(part, Chunk):
                    while waiting:
                        yield waiting.popleft().result()
                    yield from check_rest(part, output)
                    continue
                waiting.append(client.submit(check_chunk, part, pure=False))
                while len(waiting) > ahead:
                    yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        client.close()
        if cluster is not None:
            cluster.close()
