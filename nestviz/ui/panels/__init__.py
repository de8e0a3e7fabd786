"""Draw the parts that several pages share."""
