"""Archives that are the same to the byte whenever and wherever they are written.

A zip has the time of writing, and skops names objects by their addresses in memory.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

SCHEMA = "schema.json"
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first time that a zip can have."""
FIRST = 1_000
"""The number of the first object; smaller ones are free for objects that are added."""


def packed(files: Mapping[str, bytes], compression: int) -> bytes:
    """Return files, by name, as the bytes of a zip without times."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = compression
            # Zip files made on Windows and elsewhere differ in this number only.
            entry.create_system = 3
            archive.writestr(entry, content)
    return out.getvalue()


def same_names(content: bytes) -> bytes:
    """Return a file of skops with objects and arrays numbered in the order of the schema."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    schema = json.loads(files.pop(SCHEMA))
    numbers: dict[Any, int] = {}
    arrays: dict[str, str] = {}
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if "__id__" in node:
                node["__id__"] = numbers.setdefault(node["__id__"], FIRST + len(numbers))
            if node.get("file") in files:
                node["file"] = arrays.setdefault(node["file"], f"{len(arrays) + 1}.npy")
        if isinstance(node, (dict, list)):
            inner = node.values() if isinstance(node, dict) else node
            waiting.extend(reversed(list(inner)))
    text = json.dumps(schema, indent=2).encode()
    renamed = {new: files[old] for old, new in arrays.items()}
    return packed({**renamed, SCHEMA: text}, zipfile.ZIP_STORED)
