from nestviz.ui.pages.solution_path.page import render

render()
