from nestviz.ui.pages.results.page import render

render()
