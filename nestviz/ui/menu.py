"""The menu of the app."""

PAGES = {
    "Start": [
        ("pages/start/home.py", "See nesting", "home", ":material/layers:"),
        ("pages/start/data.py", "Data", "data", ":material/scatter_plot:"),
    ],
    "Explore": [
        ("pages/explore/one_class.py", "One class", "one-class", ":material/contrast:"),
        ("pages/explore/two_classes.py", "Two classes", "two-classes", ":material/join_inner:"),
        ("pages/explore/solution_path.py", "Solution path", "solution-path", ":material/timeline:"),
        ("pages/explore/compare.py", "Compare", "compare", ":material/grid_view:"),
        ("pages/explore/variants.py", "Variants", "variants", ":material/category:"),
    ],
    "Use": [
        ("pages/use/bandwidth.py", "Bandwidth", "bandwidth", ":material/width:"),
        ("pages/use/cluster_tree.py", "Cluster tree", "cluster-tree", ":material/account_tree:"),
        ("pages/use/outliers.py", "Outliers", "outliers", ":material/person_search:"),
        ("pages/use/error_control.py", "Error control", "error-control", ":material/balance:"),
        ("pages/use/quantiles.py", "Quantiles", "quantiles", ":material/percent:"),
    ],
    "Learn": [
        ("pages/learn/theory.py", "Theory", "theory", ":material/school:"),
        ("pages/learn/results.py", "Results", "results", ":material/fact_check:"),
    ],
}
"""Section to (file, title, address, icon)."""
BY_ADDRESS = {address: (file, title) for rows in PAGES.values() for file, title, address, _ in rows}
"""File and title of each page, by its address."""
