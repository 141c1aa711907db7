"""Still pictures in SVG and PNG, byte for byte the same on every machine."""

import base64
import html
import struct
import zlib
from collections.abc import Callable, Sequence
from typing import Any

INK = "var(--fig-ink,var(--jp-content-font-color1,#1d2430))"
PAPER = "var(--paper,var(--jp-layout-color0,var(--fig-paper,#fff)))"
MUTED = "var(--fig-muted,var(--jp-content-font-color2,#5b6472))"
BLUE = "var(--fig-1,#0072b2)"

Number = int | float


def tag(
    name: str, text: str = "", /, style: str = "", **values: object
) -> str:
    """Write one SVG element; numbers get one decimal, `_` becomes `-`.

    Examples:
        >>> tag("circle", r=4, cx=10.04)
        '<circle r="4" cx="10"/>'
    """
    given = {**values, "style": style} if style else values
    attributes = "".join(
        f' {key.strip("_").replace("_", "-")}="{_number(value)}"'
        for key, value in given.items()
    )
    inside = f">{text}</{name}>" if text else "/>"
    return f"<{name}{attributes}{inside}"


def _number(value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{round(value, 1) + 0.0:g}"


def picture(parts: Sequence[str], alt: str, width: int, height: int) -> str:
    """Wrap elements into the still SVG that stands in for a live figure."""
    return (
        f'<svg data-fallback="" role="img" viewBox="0 0 {width} {height}" '
        'xmlns="http://www.w3.org/2000/svg" '
        f'style="width:100%;max-width:{width}px;height:auto" '
        'font-family="system-ui, sans-serif" font-size="13">'
        f"<title>{html.escape(alt)}</title>{''.join(parts)}</svg>"
    )


def across(lam: Number) -> Number:
    """Where an eigenvalue stands in a picture that is 700 wide."""
    return 60 + 300 * lam


def axis(y: Number, x: Callable[[Number], Number] = across) -> list[str]:
    """Draw the axis of eigenvalues from 0 to 2 at height y."""
    line = f"stroke:{MUTED}"
    ticks = [0.0, 0.5, 1.0, 1.5, 2.0]
    return [
        tag("line", style=line, x1=x(0), x2=x(2), y1=y, y2=y),
        *(
            tag("line", style=line, x1=x(t), x2=x(t), y1=y, y2=y + 5)
            for t in ticks
        ),
        *(label(f"{t:g}", x(t), y + 19) for t in ticks),
    ]


def label(text: str, x: Number, y: Number, anchor: str = "middle") -> str:
    """Write text at a point."""
    return tag(
        "text",
        html.escape(text),
        style=f"fill:{INK}",
        x=x,
        y=y,
        text_anchor=anchor,
    )


def band(h: Any, alt: str) -> str:
    """Draw the mean of responses over their band.

    Shapes:
        h (S, n): a row for each split, evenly spaced on [0, 2]
    """
    low, high = min(0.0, h.min()), max(0.0, h.max())

    def y(value: Number) -> Number:
        return 20 + 190 * (high - value) / ((high - low) or 1.0)

    def points(values: Any) -> list[str]:
        last = len(values) - 1
        return [
            f"{across(2 * i / last):.1f},{y(value):.1f}"
            for i, value in enumerate(values.tolist())
        ]

    around = " ".join(points(h.max(0)) + points(h.min(0))[::-1])
    line = f"fill:none;stroke:{BLUE};stroke-width:3"
    parts = [
        tag("polygon", style=f"fill:{BLUE};fill-opacity:0.2", points=around),
        tag("polyline", style=line, points=" ".join(points(h.mean(0)))),
        *axis(225),
        *(label(f"{v:.3g}", 52, y(v) + 4, "end") for v in sorted({low, high})),
        label("frequency λ", across(1), 264),
    ]
    return picture(parts, alt, 700, 272)


def grey_png(values: bytes, width: int) -> str:
    """Write grey bytes as the data address of a PNG.

    The bytes are stored, not compressed: what zlib makes of them may differ
    between its versions, and outputs must not.
    """
    rows = [values[i : i + width] for i in range(0, len(values), width)]
    raw = b"".join(b"\0" + row for row in rows)  # 0: rows are not predicted
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 0, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, data)
        for kind, data in [
            (b"IHDR", header),
            (b"IDAT", _stored(raw)),
            (b"IEND", b""),
        ]
    )
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
    )


def _stored(raw: bytes) -> bytes:
    """Wrap bytes as a zlib stream of blocks that are not compressed."""
    most = 65535
    starts = range(0, len(raw), most)
    blocks = b"".join(
        struct.pack("<BHH", at + most >= len(raw), size, size ^ 0xFFFF)
        + raw[at : at + size]
        for at in starts
        for size in [min(most, len(raw) - at)]
    )
    return b"\x78\x01" + blocks + struct.pack(">I", zlib.adler32(raw))
