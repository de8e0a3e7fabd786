from nestviz.ui.pages.compare.page import render

render()
