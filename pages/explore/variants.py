from nestviz.ui.pages.variants.page import render

render()
