"""The app's entry point: `streamlit run app.py`, or better `make app`."""

from streamlit import App
from streamlit.runtime.scriptrunner import get_script_run_ctx

if get_script_run_ctx(suppress_warning=True) is None:
    # `streamlit run` imports this module first, and serves the variable `app`.
    from nestviz.ui.launch import prepare
    from nestviz.ui.live.server import plain_options

    prepare()
    app = App(__file__, **plain_options())
else:
    from nestviz.ui.app import run

    run()
