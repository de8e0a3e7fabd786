from nestviz.ui.pages.data.page import render

render()
