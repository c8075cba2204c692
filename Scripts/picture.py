#!/usr/bin/env python3
"""Draws a running dashboard as an SVG: starts the demo in tmux, lets it run, captures the screen with its colours.

usage: picture BIN-FOLDER OUTPUT.svg [--size COLUMNSxROWS] [--after SECONDS] [--keys KEYS ...] [--light] [-- winch options]

Bars, boxes and curves are drawn as shapes, so that they are sharp whatever font the one who looks has; letters are text.
"""
import argparse, html, re, subprocess, sys, time, unicodedata
from pathlib import Path

DARK = ["#2b303b", "#e06c75", "#8cc265", "#d9b35f", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4",
        "#7f848e", "#ff7b86", "#a5e075", "#f0c674", "#7ab8ff", "#de8ef2", "#6fd3e0", "#ffffff"]
LIGHT = ["#24292f", "#c2303b", "#2f7d32", "#97690a", "#2a62c8", "#9a3fb0", "#0f7785", "#d8dce2",
         "#7a828e", "#d9444f", "#3c963f", "#b07d12", "#3b78e0", "#b055c6", "#148b9b", "#ffffff"]
ANSI, GROUND, INK = DARK, "#1e222a", "#d7dae0"
CELL, LINE = 8.4, 18


def colour(codes):
    if codes.pop(0) == 2: return "#%02x%02x%02x" % tuple(codes.pop(0) for _ in range(3))
    n = codes.pop(0)
    if n < 16: return ANSI[n]
    if n >= 232: return "#" + "%02x" % (8 + (n - 232) * 10) * 3
    n -= 16
    return "#%02x%02x%02x" % tuple(v and 55 + 40 * v for v in (n // 36, n // 6 % 6, n % 6))


PLAIN = {"fg": None, "bg": None, "bold": False, "dim": False, "reverse": False, "under": False}
SWITCHES = {0: PLAIN, 1: {"bold": True}, 2: {"dim": True}, 4: {"under": True}, 7: {"reverse": True},
            22: {"bold": False, "dim": False}, 24: {"under": False}, 27: {"reverse": False}, 39: {"fg": None}, 49: {"bg": None}}
# Where eight colours begin: which they set, and the first of them.
COLOURS = {30: ("fg", 0), 40: ("bg", 0), 90: ("fg", 8), 100: ("bg", 8)}


def cells(line, pen):
    """The line's characters, each with its width and style. What holds at its end is left in `pen`: tmux says only what changes,
    across lines as well."""
    for part in re.split(r"(\x1b\[[0-9;:]*m|\x1b\([0B]|\x0e|\x0f)", line):
        if part.startswith("\x1b["):
            codes = [int(code or 0) for code in part[2:-1].replace(":", ";").split(";")]
            while codes:
                code = codes.pop(0)
                if code in (38, 48): pen["fg" if code == 38 else "bg"] = colour(codes)
                elif code in SWITCHES: pen |= SWITCHES[code]
                elif code // 10 * 10 in COLOURS:
                    name, first = COLOURS[code // 10 * 10]
                    pen[name] = ANSI[first + code % 10]
        elif not part.startswith(("\x1b", "\x0e", "\x0f")):
            front, back = pen["fg"] or INK, pen["bg"] or GROUND
            if pen["reverse"]: front, back = back, front
            for ch in part:
                width = 0 if unicodedata.combining(ch) else 2 if unicodedata.east_asian_width(ch) in "WF" else 1
                yield ch, width, (front, back, pen["bold"], pen["dim"], pen["under"])


EIGHTHS = "▏▎▍▌▋▊▉█"
LEVELS = "▁▂▃▄▅▆▇"
SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75}
# The side on which a line comes, the end of the cell to which it goes, and in which direction.
CORNERS = {"╭": ("r", 1, 1), "╮": ("l", 1, 1), "╰": ("r", 0, -1), "╯": ("l", 0, -1)}
# Heavy and light pieces of a line: where in the cell it begins and ends, and how thick it is.
STROKES = {"━": [(0, 1, 3)], "╸": [(0, .5, 3)], "╺": [(.5, 1, 3)], "╶": [(.5, 1, 1.2)], "╌": [(.05, .4, 1.2), (.55, .95, 1.2)],
           "─": [(0, 1, 1.2)]}


def box(x, y, width, height, fill, extra=""):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{extra} '
            'shape-rendering="crispEdges"/>')


def shapes(text, left, top, fill, opacity):
    """A run of one such character, or of braille."""
    ch, width = text[0], len(text) * CELL
    if ch in EIGHTHS:
        return box(left, top, width - CELL + CELL * (EIGHTHS.index(ch) + 1) / 8, LINE, fill, opacity)
    if ch in LEVELS:
        height = LINE * (LEVELS.index(ch) + 1) / 8
        return box(left, top + LINE - height, width, height, fill, opacity)
    if ch in SHADES: return box(left, top, width, LINE, fill, f' opacity="{SHADES[ch]}"')
    middle = top + LINE / 2
    if ch == "▐": return box(left + CELL / 2, top, CELL / 2, LINE, fill, opacity)
    if ch in STROKES:
        if len(STROKES[ch]) == 1 and STROKES[ch][0][:2] == (0, 1):
            return box(left, middle - STROKES[ch][0][2] / 2, width, STROKES[ch][0][2], fill, opacity)
        return "".join(box(left + (i + a) * CELL, middle - t / 2, (b - a) * CELL, t, fill, opacity)
                       for i in range(len(text)) for a, b, t in STROKES[ch])
    left, right, centre = left, left + CELL, left + CELL / 2
    if ch == "└": path = f"M{centre:.1f} {top:.1f}v{LINE / 2}h{CELL / 2:.1f}"
    elif ch == "│": path = "".join(f"M{centre + i * CELL:.1f} {top:.1f}v{LINE}" for i in range(len(text)))
    elif ch in CORNERS:
        side, end, near = CORNERS[ch]
        x, bend = (right, centre + CELL / 2) if side == "r" else (left, centre - CELL / 2)
        path = (f"M{x:.1f} {middle:.1f}H{bend:.1f}Q{centre:.1f} {middle:.1f} {centre:.1f} {middle + near * CELL / 2:.1f}"
                f"V{top + end * LINE:.1f}")
    else:
        # Dots 1 2 3 7 on the left, 4 5 6 8 on the right, from the top.
        spots = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
        path = "".join(f"M{left + i * CELL + CELL * (.27 + .46 * dx):.1f} {top + LINE * (dy + .5) / 4:.1f}h.01"
                       for i, c in enumerate(text) for bit, (dx, dy) in enumerate(spots) if ord(c) - 0x2800 >> bit & 1)
        return f'<path d="{path}" stroke="{fill}" stroke-width="2.4" stroke-linecap="round"{opacity}/>'
    return f'<path d="{path}" stroke="{fill}" fill="none" stroke-width="1.2"{opacity}/>'


def kind(ch, width):
    """Characters of one kind can stand in one run. One of `None` stands alone."""
    if 0x2800 <= ord(ch) < 0x2900: return "braille"
    if ch in EIGHTHS + LEVELS + "│└▐" or ch in SHADES or ch in STROKES or ch in CORNERS: return ch
    return "text" if width == 1 else None


def draw(screen, columns):
    pen, rows = dict(PLAIN), screen.split("\n")
    width, height = columns * CELL + 24, len(rows) * LINE + 24
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}">',
           f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
           '<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14">']
    for y, line in enumerate(rows):
        # The last run's style and kind, its first column, its width and its text.
        column, runs = 0, [[None, None, 0, 0, ""]]
        for ch, width, style in cells(line, pen):
            what, last = kind(ch, width), runs[-1]
            if width and (last[:2] != [style, what] or what is None): runs.append(last := [style, what, column, 0, ""])
            last[3] += width
            last[4] += ch
            column += width
        top = 12 + y * LINE
        for (fg, bg, bold, dim, under), what, start, width, text in runs[1:]:
            left, opacity = 12 + start * CELL, ' opacity="0.6"' if dim else ""
            if bg != GROUND: out.append(box(left, top, width * CELL, LINE, bg))
            if under: out.append(box(left, top + LINE - 1.5, width * CELL, 1, fg, opacity))
            if what not in ("text", None): out.append(shapes(text, left, top, fg, opacity))
            elif word := text.strip(" "):
                # Blanks at the ends are not drawn, and may not be counted by the renderer.
                lead, size = len(text) - len(text.lstrip(" ")), width - (len(text) - len(word))
                weight = ' font-weight="bold"' if bold else ""
                out.append(f'<text x="{left + lead * CELL:.1f}" y="{top + 13.5}" fill="{fg}"{weight}{opacity} '
                           f'xml:space="preserve" textLength="{size * CELL:.1f}" lengthAdjust="spacingAndGlyphs">'
                           f'{html.escape(word)}</text>')
    return "\n".join(out + ["</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", help="folder of the program")
    parser.add_argument("server", help="folder of the demo's server")
    parser.add_argument("svg")
    parser.add_argument("--size", default="116x36")
    parser.add_argument("--after", type=float, default=9)
    parser.add_argument("--keys", nargs="*", default=[])
    parser.add_argument("--light", action="store_true", help="as on a terminal with a light background")
    args, rest = parser.parse_known_args()
    if args.light:
        global ANSI, GROUND, INK
        ANSI, GROUND, INK = LIGHT, "#fbfbfa", "#24292f"
    rest = [option for option in rest if option != "--"]
    columns, rows = map(int, args.size.split("x"))
    tmux = ["tmux", "-L", "winch-picture"]
    demo = Path(__file__).with_name("demo.sh")
    subprocess.run([*tmux, "-f", "/dev/null", "new", "-d", "-x", str(columns), "-y", str(rows),
                    "env", "LANG=C.UTF-8", "COLORTERM=truecolor", str(demo), args.bin, args.server, *rest], check=True)
    try:
        time.sleep(args.after)
        for key in args.keys:
            subprocess.run([*tmux, "send-keys", key], check=True)
            time.sleep(0.05)
        time.sleep(0.8)
        screen = subprocess.run([*tmux, "capture-pane", "-p", "-e", "-N"], check=True, capture_output=True, text=True).stdout
        Path(args.svg).write_text(draw(screen.rstrip("\n"), columns))
        print(f"{args.svg}: {columns}x{rows}")
    finally:
        subprocess.run([*tmux, "send-keys", "q", "y"])
        time.sleep(1)
        subprocess.run([*tmux, "kill-server"], stderr=subprocess.DEVNULL)


main()
