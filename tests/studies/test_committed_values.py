"""Numbers of past runs, read from the files of their study."""

import json
import math

import pytest

from nestviz.studies.committed import Measured, committed_values
from nestviz.studies.findings import Findings, Value


def written(folder, content):
    (folder / "fig7").mkdir()
    (folder / "fig7" / "findings.json").write_text(content, encoding="utf-8")
    return folder


def test_findings_are_read_back(tmp_path):
    found = Findings(values=(Value("banana", "cs", 0.95, 0.01), Value("banana", "ncs", 0.96)))
    folder = written(tmp_path, json.dumps(found.plain()))
    first, second = committed_values("fig7", folder)
    assert first == Measured("banana", "cs", 0.95, 0.01)
    assert (second.item, second.quantity, second.ours) == ("banana", "ncs", 0.96)
    assert math.isnan(second.sd)


def test_a_study_that_was_not_run_has_no_values(tmp_path):
    assert committed_values("fig7", tmp_path) is None


@pytest.mark.parametrize("content", ["{", "[]", '{"values": [{"item": "a"}]}', '{"values": 3}'])
def test_another_file_is_refused_with_a_sentence(tmp_path, content):
    with pytest.raises(ValueError, match="not a file of findings"):
        committed_values("fig7", written(tmp_path, content))
