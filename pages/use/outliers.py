from nestviz.ui.pages.outliers.page import render

render()
