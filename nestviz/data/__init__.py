"""Data sets from samples, files and drawings."""

from nestviz.data.annotations import Annotations
from nestviz.data.background import against_uniform
from nestviz.data.catalogue import SAMPLES, Option, Sample
from nestviz.data.centres import weighted_centres
from nestviz.data.conversion import to_dataset
from nestviz.data.dataset import Dataset, dataset_from_points, needs_subsample, subsample
from nestviz.data.errors import DataError
from nestviz.data.exchange import dataset_to_csv, label_name, read_dataset, table_to_csv
from nestviz.data.files import read_table, read_text
from nestviz.data.limits import Limits
from nestviz.data.projection import Projection, principal_plane, project
from nestviz.data.roles import Roles, guess_roles, label_values
from nestviz.data.samples import make_sample
from nestviz.data.scaling import standardise
from nestviz.data.splits import hold_out, thin_class
from nestviz.data.tables import DELIMITERS, ENCODINGS, FORMATS, Guess, ReadChoices, Table
from nestviz.resources import sample_data_dir

__all__ = [
    "DELIMITERS",
    "ENCODINGS",
    "FORMATS",
    "SAMPLES",
    "Annotations",
    "DataError",
    "Dataset",
    "Guess",
    "Limits",
    "Option",
    "Projection",
    "ReadChoices",
    "Roles",
    "Sample",
    "Table",
    "against_uniform",
    "dataset_from_points",
    "dataset_to_csv",
    "guess_roles",
    "hold_out",
    "label_name",
    "label_values",
    "make_sample",
    "needs_subsample",
    "principal_plane",
    "project",
    "read_dataset",
    "read_table",
    "read_text",
    "sample_data_dir",
    "standardise",
    "subsample",
    "table_to_csv",
    "thin_class",
    "to_dataset",
    "weighted_centres",
]
