"""Families for the player while a knob or a point moves, without a rerun of the page."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from nestviz.arrays import FloatArray
from nestviz.data import DataError, Dataset
from nestviz.data.densities import Density
from nestviz.grids import Plane
from nestviz.kernels import median_distance
from nestviz.ui.compute import scenes, tasks
from nestviz.ui.compute.frames import Fit, Over
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.live.question import LiveQuestion
from nestviz.ui.results import admission, cache, jobs
from nestviz.ui.scene.message import encode_scene
from nestviz.ui.session.view_state import RULES

EDITED = "Points were added, moved or deleted in the picture."


class StoppedError(Exception):
    """The answer is no longer needed: a newer question has come."""


@dataclass(frozen=True)
class SceneBuilder:
    """Builds the scene of a page for other values of its knobs, or for edited points."""

    data: Dataset
    plane: Plane
    specs: tuple[Spec, ...]
    over: Over
    look: scenes.Look
    unit: float  # The length of a width of 1
    owner: str | None  # Whose results these are; see `nestviz.ui.results.cache`
    density: Density | None = None  # That the points were drawn from, if it is known

    def __call__(self, question: LiveQuestion) -> bytes:
        """Return the message of a scene, with paths by knots; nothing if it is no longer needed."""
        try:
            return self._message(question)
        except StoppedError:
            return b""

    def known(self, question: LiveQuestion) -> bytes | None:
        """Return the message if it is cached."""
        if question.points is not None:
            return None
        found: bytes | None = cache.STORE.get(self.owner, self._key(self._turned(question)))
        return found

    def _message(self, question: LiveQuestion) -> bytes:
        if question.points is not None:
            data = _edited(self.data, question)
            return self._made(data, self._turned(question, median_distance(data.X)), question)
        specs = self._turned(question)
        return cache.STORE.get_or_make(
            self.owner, self._key(specs), lambda: self._made(self.data, specs, question)
        )

    def _turned(self, question: LiveQuestion, unit: float | None = None) -> list[Spec]:
        """Return the settings of the panels asked for; ``unit`` is that of edited points."""
        knobs = {key: value for key, value in question.knobs.items() if allowed(key, value)}
        asked = range(len(self.specs)) if question.panels is None else question.panels
        chosen = [self.specs[k] for k in asked if k < len(self.specs)] or self.specs
        return [scenes.turned(spec, knobs, self.unit if unit is None else unit) for spec in chosen]

    def _key(self, specs: Sequence[Spec]) -> Hashable:
        return cache.plain(("live", self.data, self.plane, tuple(specs), self.over, self.look))

    def _made(self, data: Dataset, specs: Sequence[Spec], question: LiveQuestion) -> bytes:
        edited = data is not self.data
        fit = partial(self._solve, data, question, edited)
        fits = _solved(specs, fit)
        frames = scenes.frames_of(data, specs, _first_among(fits, fit), self.over)
        scene = scenes.scene_of(
            data,
            self.plane,
            fits,
            frames,
            self.look,
            exact=False,
            density=None if edited else self.density,
        )
        if question.stopped():
            raise StoppedError
        return encode_scene(scene, detail="knots")

    def _solve(self, data: Dataset, question: LiveQuestion, edited: bool, spec: Spec) -> Fitted:
        """Return a solution, from the results that all pages share where the data are theirs."""

        def report(done: float, text: str = "", partial: Any = None) -> bool:
            return question.stopped()

        def solved() -> Fitted:
            found = tasks.fit(spec, data.X, data.y, data.weights, report)
            if question.stopped():
                raise StoppedError
            return found

        if edited:
            return solved()
        key = jobs.full_key(tasks.fit, (data, spec))
        return cache.STORE.get_or_make(self.owner, key, solved)


def _solved(specs: Sequence[Spec], fit: Fit) -> list[Fitted]:
    """Solve problems, at the same time where cores are free; a union waits for its sets."""
    problems = list(dict.fromkeys(spec.solved for spec in specs))
    for problem in problems:
        problem.estimator_class()  # Two threads must not import the same modules at once
    # This thread has a turn at solving; others help where cores are free.
    helpers = admission.SOLVES.take_free("live", len(problems) - 1)
    try:
        if helpers:
            with ThreadPoolExecutor(len(helpers)) as others:
                waiting = [others.submit(fit, problem) for problem in problems[1:]]
                found = [fit(problems[0]), *(each.result() for each in waiting)]
        else:
            found = [fit(problem) for problem in problems]
    finally:
        for helper in helpers:
            helper.leave()
    known = dict(zip(problems, found, strict=True))
    return [known[spec.solved].under(spec) for spec in specs]


def _first_among(fits: Sequence[Fitted], fit: Fit) -> Fit:
    """Return a function that solves a problem unless it is among those solved."""
    known = {fitted.spec: fitted for fitted in fits}
    return lambda spec: known[spec] if spec in known else fit(spec.solved).under(spec)


def allowed(key: str, value: float) -> bool:
    """Return whether a key of the address can have a value; reports come from a browser."""
    rule = RULES.get(key)
    return rule is not None and rule.read([repr(value)]) is not None


def _edited(data: Dataset, question: LiveQuestion) -> Dataset:
    assert question.points is not None
    return edited_data(data, question.points, question.classes)


def edited_data(data: Dataset, points: Any, classes: Any) -> Dataset:
    """Return data with points added, moved or deleted in the picture."""
    X = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if not len(X):
        raise DataError("There is no point left.", hint="Add some, or undo.")
    y = None
    if data.y is not None and classes is not None:
        y = np.where(np.asarray(classes) == 0, 1, -1).astype(np.int8)
    # Once, however often points are moved.
    earlier = [sentence for sentence in data.provenance if sentence != EDITED]
    notes = data.annotations
    if notes is not None:
        notes = notes.edited(_origins(data.X, X))
    return Dataset(X, y, data.feature_names, data.name, (*earlier, EDITED), notes)


def _origins(before: FloatArray, after: FloatArray) -> npt.NDArray[np.intp]:
    """Return the point that each edited one was, −1 for a new one.

    A move keeps the number of points; new ones come last, and the others keep their order.
    """
    if len(before) == len(after):
        return np.arange(len(after))
    origins = np.full(len(after), -1, dtype=np.intp)
    # Points pass through the browser, which may round them.
    near = 1e-5 * np.ptp(before, axis=0) + 1e-12
    known = 0
    for row, point in enumerate(after):
        same = np.flatnonzero((np.abs(before[known:] - point) <= near).all(axis=1))
        if same.size:
            origins[row] = known + same[0]
            known = int(origins[row]) + 1
    return origins
