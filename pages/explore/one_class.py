from nestviz.ui.pages.one_class.page import render

render()
