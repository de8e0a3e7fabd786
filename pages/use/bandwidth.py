from nestviz.ui.pages.bandwidth.page import render

render()
