from nestviz.ui.pages.cluster_tree.page import render

render()
