from nestviz.ui.pages.quantiles.page import render

render()
