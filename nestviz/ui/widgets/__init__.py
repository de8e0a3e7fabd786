"""Draw the controls that several pages share."""
