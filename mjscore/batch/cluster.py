"""Checking on several machines with a Dask cluster, an extra (``pip install distributed``) that is loaded only here."""

from collections.abc import Generator, Iterable
from contextlib import ExitStack, closing
from typing import Any

from mjscore.batch.run import Chunk, Result, check_chunk, in_order, parts_of
from mjscore.record.context import Context
from mjscore.record.spreadsheet import Sheet
from mjscore.refusal import refuse

CHUNKS_AHEAD = 4  # chunks submitted for each worker; more than for a process, since they take time to travel
LONGEST_WAIT = 10  # seconds to wait for a scheduler's answer, and for its first worker


def check_on_cluster(
    paths: Iterable[str | Sheet],
    context: Context,
    output: str = "json",
    address: str | None = None,
    workers: int | None = None,
) -> Generator[Result, None, None]:
    """Yield the results of all files, in order, from the cluster at *address*, or a local one of *workers* workers.

    Workers need mjscore, and house rulebooks under the same paths. If the scheduler ends too early, this process
    checks the rest. Raises Refused if Dask is missing, no cluster answers in time, or a chunk kills workers.
    """
    import asyncio
    import logging
    from concurrent.futures import CancelledError

    try:
        from distributed import Client, LocalCluster
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise refuse("no-cluster") from None

    # losing a worker or the scheduler is not worth a message: its chunks are checked again
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as ends:
        cluster: Any = address
        if address is None:
            cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)  # type: ignore[no-untyped-call]
            ends.enter_context(closing(cluster))
        try:
            if address is not None:
                # a client waits forever for an open port that does not answer
                asyncio.run(_greet(address))
            client: Any = ends.enter_context(closing(Client(cluster, timeout=LONGEST_WAIT)))  # type: ignore[no-untyped-call]
        except Exception:  # whatever listens there, it is not a scheduler
            raise refuse("cluster-silent", "scheduler", address=address) from None
        try:
            client.wait_for_workers(1, timeout=LONGEST_WAIT)
        except TimeoutError:
            raise refuse("cluster-silent", "workers", address=address) from None

        def submit(chunk: Chunk) -> Any:
            try:
                return client.submit(check_chunk, chunk, pure=False)
            except Exception:
                if client.status == "closed":
                    return None  # the scheduler is gone: the remaining chunks are checked here
                raise

        ahead = CHUNKS_AHEAD * max(1, len(client.scheduler_info()["workers"]))
        yield from in_order(parts_of(paths, context, output), submit, ahead, (KilledWorker, CancelledError))


async def _greet(address: str) -> None:
    """Wait until the scheduler at *address* has answered once. Raises TimeoutError, or what Dask raises."""
    import asyncio

    from distributed.comm.core import connect

    connection = await asyncio.wait_for(connect(address, timeout=LONGEST_WAIT), LONGEST_WAIT)  # type: ignore[no-untyped-call]
    await connection.close()
