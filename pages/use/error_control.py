from nestviz.ui.pages.error_control.page import render

render()
