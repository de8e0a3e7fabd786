"""``nestviz study``: compare methods on own data, as a file describes it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nestviz.commands.options import add_engine_options

EXAMPLES = """an example of a file:
  problem = "one class"
  methods = ["one-class SVM", "nested one-class SVM", "Parzen"]
  measures = ["auc", "ranking disagreement"]
  permutations = 10

  [grid]
  sigma_factors = [0.1, 0.2, 0.4]

  [[data]]
  file = "patients.csv"
  label = "state"
  positive = ["healthy"]

A command that was stopped goes on where it was when it is given again."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the parser of the command."""
    parser.description = (
        "Compare methods on own data: splits, grids, measures, and tests over the data sets. "
        "Writes tables as CSV files, and a report."
    )
    parser.epilog = EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", type=Path, help="the TOML file that describes the study")
    add_engine_options(parser, "the name of the file, and -results")


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from nestviz.commands.conduct import Means, Study, conduct, report_writer
    from nestviz.studies.own.plan import own_plan
    from nestviz.studies.own.study_file import read_study
    from nestviz.studies.own.values import StudyFileError

    try:
        settings, fingerprints = read_study(options.file)
    except StudyFileError as error:
        print(error, file=sys.stderr)
        return 2
    study = Study(
        settings.name,
        settings.title,
        "",
        "own",
        settings.describe(),
        lambda: own_plan(settings, fingerprints),
        seed=settings.seed,
    )
    output = options.output or Path(f"{options.file.stem}-results")
    means = Means(output, options.jobs, options.scheduler, options.quiet)
    return conduct([study], means, report_writer())
