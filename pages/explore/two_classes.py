from nestviz.ui.pages.two_classes.page import render

render()
