"""A canvas for flat pictures with light in them, drawn with Pillow alone. `draw_starters.py` paints on it.

Everything is drawn at four times the size and made smaller, so that edges are smooth. Coordinates run from 0 to 1000
on both sides, whatever the size.
"""

import math
import random
from collections.abc import Callable, Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter

SIZE = 512
SCALE = 4
FULL = SIZE * SCALE
UNIT = FULL / 1000

Color = tuple[int, int, int]
Point = tuple[float, float]


def rgb(code: str) -> Color:
    """A colour from its `#RRGGBB` code."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


class Canvas:
    """A picture in the making. All lengths are thousandths of its side."""

    def __init__(self, top: str, bottom: str) -> None:
        column = Image.new("RGB", (1, 256))
        a, b = rgb(top), rgb(bottom)
        for y in range(256):
            share = y / 255
            column.putpixel((0, y), tuple(round(p + (q - p) * share) for p, q in zip(a, b, strict=True)))
        self.image = column.resize((FULL, FULL), Image.Resampling.BICUBIC)

    def _shape(self, color: str, alpha: float, blur: float, draw: Callable[[ImageDraw.ImageDraw], None]) -> None:
        mask = Image.new("L", (FULL, FULL), 0)
        draw(ImageDraw.Draw(mask))
        if blur:
            small = mask.resize((FULL // 4, FULL // 4), Image.Resampling.BOX)
            mask = small.filter(ImageFilter.GaussianBlur(blur * UNIT / 4)).resize((FULL, FULL))
        if alpha < 1:
            mask = mask.point([round(value * alpha) for value in range(256)])
        self.image.paste(rgb(color), (0, 0), mask)

    def box(
        self, x: float, y: float, w: float, h: float, color: str, r: float = 0, alpha: float = 1, blur: float = 0
    ) -> None:
        """A rectangle, with round corners of radius `r`."""
        corners = (x * UNIT, y * UNIT, (x + w) * UNIT, (y + h) * UNIT)
        self._shape(color, alpha, blur, lambda d: d.rounded_rectangle(corners, r * UNIT, fill=255))

    def oval(self, x: float, y: float, rx: float, ry: float, color: str, alpha: float = 1, blur: float = 0) -> None:
        """An ellipse around (x, y)."""
        corners = ((x - rx) * UNIT, (y - ry) * UNIT, (x + rx) * UNIT, (y + ry) * UNIT)
        self._shape(color, alpha, blur, lambda d: d.ellipse(corners, fill=255))

    def poly(self, points: Sequence[Point], color: str, alpha: float = 1, blur: float = 0) -> None:
        """A filled polygon."""
        scaled = [(x * UNIT, y * UNIT) for x, y in points]
        self._shape(color, alpha, blur, lambda d: d.polygon(scaled, fill=255))

    def line(self, points: Sequence[Point], width: float, color: str, alpha: float = 1, blur: float = 0) -> None:
        """A line with round joints and ends."""
        scaled = [(x * UNIT, y * UNIT) for x, y in points]
        radius = width * UNIT / 2

        def draw(d: ImageDraw.ImageDraw) -> None:
            d.line(scaled, fill=255, width=max(1, round(radius * 2)), joint="curve")
            for x, y in (scaled[0], scaled[-1]):
                d.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)

        self._shape(color, alpha, blur, draw)

    def arc(
        self, x: float, y: float, rx: float, ry: float, start: float, end: float, width: float, color: str,
        alpha: float = 1,
    ) -> None:  # fmt: skip
        """A piece of an ellipse's outline, in degrees, clockwise from three o'clock."""
        steps = [math.radians(start + (end - start) * i / 40) for i in range(41)]
        self.line([(x + rx * math.cos(t), y + ry * math.sin(t)) for t in steps], width, color, alpha)

    def glow(self, x: float, y: float, rx: float, ry: float, color: str, strength: float) -> None:
        """Light: adds `color`, strongest at (x, y), nothing at the edge of the ellipse."""
        gradient = ImageChops.invert(Image.radial_gradient("L"))
        # The gradient reaches its end at the corners; a circle of light must reach it at the sides.
        gradient = gradient.point([max(0, round((v - 75) * 255 / 180 * strength)) for v in range(256)])
        size = (round(2 * rx * UNIT), round(2 * ry * UNIT))
        light = Image.new("RGB", (FULL, FULL))
        tint = Image.new("RGB", size, rgb(color))
        light.paste(tint, (round((x - rx) * UNIT), round((y - ry) * UNIT)), gradient.resize(size))
        self.image = ImageChops.screen(self.image, light)

    def finish(self, grain: int) -> Image.Image:
        """The picture at its size, a little darker at the corners, with a grain like paper."""
        small = self.image.resize((SIZE, SIZE), Image.Resampling.LANCZOS)
        corners = (
            Image.radial_gradient("L").resize((SIZE, SIZE)).point([round(max(0, v - 120) * 0.55) for v in range(256)])
        )
        small.paste((10, 12, 16), (0, 0), corners)
        dice = random.Random(grain)
        noise = Image.new("L", (SIZE, SIZE))
        noise.putdata([128 + dice.randint(-5, 5) for _ in range(SIZE * SIZE)])
        return ImageChops.overlay(small, Image.merge("RGB", (noise, noise, noise)))
