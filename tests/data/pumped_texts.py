"""Texts that make a pattern or a parser slow if anything can: repeated parts, then a surprise."""

import re._compiler as compiler
import re._constants as codes
import re._parser as parser
import string

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_SIGNS = "1" + string.printable + "\0\x80\x02\u2212\ud800"


def spread(unit, n):
    """Return a unit repeated to about n characters."""
    return unit * max(n // len(unit), 1)


def counted(form, n):
    """Return distinct parts, such as "w0 w1 w2 ", to about n characters."""
    count = max(n // (len(form) + 3), 1)
    return "".join(form.format(k) for k in range(count))


def equal_pairs(n):
    pairs = counted("{}:1 ", n)
    return f"1 {pairs}{pairs.split()[-1]}"


def late_text(n):
    return spread("1,2\n", n) + "1,late\n"


def wide(n):
    return "\n".join(["1.5" + ",2" * 199] * max(n // 401, 2))


def alike(n):
    """Return a header of a hundred long names that differ at their ends only, then a row."""
    names = [f"{'a' * (n // 100)}{j}" for j in range(100)]
    return ",".join(names) + "\n" + ",".join("1" for _ in names) + "\n"


TEXTS = {
    "digits and a letter": lambda n: "1" * n + "x",
    "digits": lambda n: "1" * n,
    "fraction and a letter": lambda n: "0." + "1" * n + "x",
    "pairs and a word": lambda n: "1 " + counted("{}:12345 ", n) + "x",
    "pairs": lambda n: "1 " + counted("{}:1 ", n),
    "equal pairs": equal_pairs,
    "pairs without a label": lambda n: spread("1:1 ", n),
    "short lines of pairs": lambda n: spread("1 1:2 3:0.5\n", n),
    "labels": lambda n: spread("1,", n) + "1 1:1",
    "quotes": lambda n: '"' * n,
    "open quote": lambda n: 'a,"' + spread("b,c\n", n),
    "quoted cells": lambda n: spread('"a","b"\n', n),
    "doubled quotes": lambda n: spread('"a""b"",', n),
    "both quotes": lambda n: spread("\"',", n),
    "commas": lambda n: "," * n,
    "all delimiters": lambda n: spread(",;\t| ", n),
    "alternating": lambda n: spread("1,2\n1;2\n1\t2\n", n),
    "spaces inside": lambda n: "a" + " " * n + "b",
    "spaces in lines": lambda n: spread("1" + " " * 500 + "2\n", n),
    "wide spaces": lambda n: "a" + "\u2003" * n + "b",
    "exponents": lambda n: "1e" * (n // 2),
    "points": lambda n: "1." * (n // 2),
    "signs": lambda n: "-" * n,
    "underscores": lambda n: spread("1_0\n", n),
    "lines": lambda n: spread("1\n", n),
    "blank lines": lambda n: "1\n" + "\n" * n + "2\n",
    "carriage returns": lambda n: "1" + "\r" * n + "2",
    "missing": lambda n: spread("NA,\n", n),
    "equal names": lambda n: spread("a,", n) + "a\n",
    "names alike": alike,
    "distinct names": lambda n: counted("w{},", n) + "end\n",
    "distinct words": lambda n: counted("w{},1\n", n),
    "words": lambda n: spread("a,b,yes\n1,2,no\n", n),
    "late text": late_text,
    "wide": wide,
    "comments": lambda n: "#" * n,
    "surrogates": lambda n: spread("\ud800,\udfff\n", n),
    "brackets": lambda n: "[" * n,
    "objects": lambda n: '{"a":' * (n // 5),
    "tags": lambda n: "<" * n,
    "apostrophes": lambda n: "'" * n + "x",
}


def _example(nodes, repeats, optional):
    """Return a string that the parsed pattern matches, with inner parts repeated."""
    return "".join(_piece(code, value, repeats, optional) for code, value in nodes)


def _piece(code, value, repeats, optional):
    if code in (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN):
        one = compiler.compile(parser.SubPattern(parser.State(), [(code, value)]))
        return next(sign for sign in _SIGNS if one.match(sign))
    if code in (codes.SUBPATTERN, codes.ATOMIC_GROUP):
        return _example(value[-1] if code is codes.SUBPATTERN else value, repeats, optional)
    if code is codes.BRANCH:
        return _example(value[1][0], repeats, optional)
    if code in _REPEATS:
        low, high, body = value
        times = max(low, optional) if high == 1 else max(low, min(repeats, high))
        return _example(body, repeats, optional) * times
    return ""


def pumps(pattern):
    """Return (what precedes, what is repeated) for each repeated part of a compiled pattern."""
    source = pattern.pattern
    source = source.decode("latin-1") if isinstance(source, bytes) else source
    found = set()
    for repeats in (1, 5):
        for optional in (0, 1):
            _collect(parser.parse(source), "", repeats, optional, found)
    return sorted(found)


def _collect(nodes, before, repeats, optional, found):
    for code, value in nodes:
        if code in _REPEATS:
            body = _example(value[2], repeats, optional)
            if value[1] > 1 and body:
                found.add((before, body))
            _collect(value[2], before, repeats, optional, found)
        elif code is codes.SUBPATTERN:
            _collect(value[-1], before, repeats, optional, found)
        elif code is codes.BRANCH:
            for branch in value[1]:
                _collect(branch, before, repeats, optional, found)
        before += _piece(code, value, repeats, optional)
