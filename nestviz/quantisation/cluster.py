"""Points whose parts are read and computed by the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from nestviz.extras import require
from nestviz.quantisation.sources import Part, folded, joined, with_points

Result = TypeVar("Result")

FAN_IN = 8
"""Results that are combined in one step of the tree."""
TIMEOUT = 10.0
"""Seconds in which a scheduler has to answer."""


def delayed_calls(calls: Sequence[Callable[[], Part]]) -> list[Any]:
    """Return calls that Dask carries out where it likes."""
    require("dask", "cluster", "Computations on a cluster")
    from dask import delayed

    return [delayed(call, pure=False)() for call in calls]


class ClusterSource:
    """Parts that Dask reads, on the scheduler given or on the one in use.

    What is computed of a part stays on its worker; results are combined as a tree. A part whose
    worker is lost is read again by another one.

    Parameters
    ----------
    parts : list of delayed
        The parts.
    scheduler : str, optional
        Address of a Dask scheduler; by default Dask uses the client of this process, or threads.
    """

    def __init__(self, parts: Sequence[Any], scheduler: str | None = None) -> None:
        self._parts = list(parts)
        if not self._parts:
            raise ValueError("There are no points.")
        self._client: Any = None
        if scheduler is not None:
            self._client = _connected(scheduler)

    def each(self, function: Callable[..., Result], *arguments: Any) -> Iterator[Result]:
        """Yield ``function(part, *arguments)`` of every part, in the order of the parts."""
        from dask import delayed

        call = delayed(function, pure=False)
        shared = [delayed(argument, pure=False, traverse=False) for argument in arguments]
        yield from self._computed([call(part, *shared) for part in self._parts])

    def combined(
        self,
        function: Callable[..., Result],
        combine: Callable[[Result, Result], Result],
        *arguments: Any,
    ) -> Result:
        """Return ``function(piece, *arguments)`` of all pieces of parts, combined."""
        from dask import delayed

        call, join = delayed(folded, pure=False), delayed(joined, pure=False)
        shared = [delayed(argument, pure=False, traverse=False) for argument in arguments]
        found = [call(part, function, combine, *shared) for part in self._parts]
        while len(found) > 1:
            groups = [found[k : k + FAN_IN] for k in range(0, len(found), FAN_IN)]
            found = [join(combine, group) for group in groups]
        return with_points(self._computed(found)[0])

    def _computed(self, tasks: list[Any]) -> list[Any]:
        import dask

        if self._client is None:
            return list(dask.compute(*tasks))
        return list(self._client.gather(self._client.compute(tasks, retries=2)))

    def close(self) -> None:
        """Leave the scheduler."""
        if self._client is not None:
            self._client.close()


def _connected(scheduler: str) -> Any:
    """Return a client of a scheduler; say what is wrong with its address, or that none answers."""
    require("distributed", "cluster", "Computations on a cluster")
    from distributed import Client, Security
    from distributed.comm import get_address_host_port

    address = scheduler if "://" in scheduler else f"tcp://{scheduler}"
    try:
        # A client that fails before it connects does not close: it ends with a traceback.
        get_address_host_port(address, strict=True)
    except ValueError as error:
        raise ValueError(
            f"'{scheduler}' is no address of a Dask scheduler, such as tcp://10.0.0.1:8786."
        ) from error
    secured = address.startswith(("tls://", "wss://"))
    if secured and Security().get_connection_args("client").get("ssl_context") is None:
        raise ValueError(
            f"{scheduler} needs certificates: name them under distributed.comm.tls in the "
            "configuration of Dask."
        )
    try:
        return Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ValueError(f"No Dask scheduler answers at {scheduler}.") from error
