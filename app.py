"""The app's entry point: `streamlit run app.py`, or better `make app`."""

from streamlit import App
from streamlit.runtime.scriptrunner import get_script_run_ctx

if get_script_run_ctx(suppress_warning=True) is None:
    # `streamlit run` imports this module first, and serves the variable `app`.
    from starlette.middleware import Middleware

    from nestviz.ui.launch import prepare
    from nestviz.ui.live.headers import SafeHeaders, origins_of_environment

    prepare()
    app = App(__file__, middleware=[Middleware(SafeHeaders, embed_in=origins_of_environment())])
else:
    from nestviz.ui.app import run

    run()
