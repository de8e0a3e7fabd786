from nestviz.ui.pages.theory.page import render

render()
