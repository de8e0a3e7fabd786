from nestviz.ui.pages.home.page import render

render()
