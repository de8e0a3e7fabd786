"""Numbers in sentences."""

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def in_words(value: float, digits: int = 2) -> str:
    """Return a number with few digits; very large and very small ones with a power of ten.

    Examples
    --------
    >>> in_words(0.14), in_words(5.2e-05), in_words(0.0)
    ('0.14', '5.2 × 10⁻⁵', '0')
    """
    text = f"{value:.{digits}g}"
    mantissa, _, power = text.partition("e")
    return f"{mantissa} × 10{str(int(power)).translate(_RAISED)}" if power else text
