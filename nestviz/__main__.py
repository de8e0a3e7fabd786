"""``python -m nestviz`` is ``nestviz``."""

import sys

from nestviz.cli import main

sys.exit(main())
