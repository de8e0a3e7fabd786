"""What the Cluster tree page sends to its pictures, and what it says."""

import json

PAGE = "pages/use/cluster_tree.py"
NESTED = "nested one-class SVM"


def messages(app):
    """What the tree and the plane were given."""
    found = {
        part.proto.component_name: json.loads(part.proto.json)
        for part in app.get("bidi_component")
        if part.proto.component_name in ("nestviz_branches", "nestviz_plane")
    }
    return found["nestviz_branches"], found["nestviz_plane"]


def metric(app, label):
    return next(m.value for m in app.metric if m.label == label)


def told(app):
    return [one.value for kind in (app.caption, app.markdown, app.info) for one in kind]
