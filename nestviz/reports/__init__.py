"""Reports of studies: what was published, what was found here, and how the two compare."""

from nestviz.extras import require

require("matplotlib", "plot", "Reports")
