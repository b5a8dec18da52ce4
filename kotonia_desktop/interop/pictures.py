"""Foreign pictures made into ours: decoded under limits, upright, at most 512 pixels, written anew as PNG.

What is stored holds none of the file's own bytes: no position of a camera, no profile, no second frame. Only four
formats are tried, by their content: others start helper programs (PostScript) or have a long history of holes.
"""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from PIL import Image, ImageFile, ImageOps

from kotonia_desktop.interop import limits
from kotonia_desktop.interop.imported import Notes

FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
_DECODING = (OSError, SyntaxError, ValueError, EOFError, IndexError, MemoryError, OverflowError, ZeroDivisionError)
"""What Pillow raises for damaged files, by its format plugins."""


def read_picture(data: bytes, notes: Notes) -> bytes | None:
    """`data` as a PNG of at most 512 pixels, or None with a note that says why there is none.

    A picture that is cut off is shown as far as it goes. Memory: the picture's pixels, at most 40 million.
    """
    if len(data) > limits.PICTURE_FILE:
        notes.add("picture_refused", reason="size")
        return None
    for tolerant in (False, True):
        try:
            with _tolerance(tolerant), warnings.catch_warnings():
                warnings.simplefilter("error", Image.DecompressionBombWarning)
                picture = _decode(data, notes)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            notes.add("picture_refused", reason="pixels")
            return None
        except _DECODING:
            continue
        if tolerant and picture is not None:
            notes.add("picture_damaged")
        return picture
    notes.add("picture_refused", reason="damaged")
    return None


@contextmanager
def _tolerance(tolerant: bool) -> Iterator[None]:
    before = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = tolerant
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before


def _decode(data: bytes, notes: Notes) -> bytes | None:
    with Image.open(io.BytesIO(data), formats=FORMATS) as opened:
        width, height = opened.size
        if width * height > limits.PICTURE_PIXELS or not width or not height:
            notes.add("picture_refused", reason="pixels")
            return None
        if getattr(opened, "n_frames", 1) > 1:
            notes.add("first_frame_only")
        opened.seek(0)
        side = limits.PICTURE_STORED_SIDE
        if opened.format == "JPEG":
            opened.draft("RGB", (side * 2, side * 2))  # decodes at a half, a quarter, an eighth of the size
        opened.load()
        picture = _eight_bits(ImageOps.exif_transpose(opened))
    if max(width, height) > side:
        picture.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=3.0)
    out = io.BytesIO()
    # A new image holds pixels only; metadata of the file stays behind.
    clean = Image.frombytes(picture.mode, picture.size, picture.tobytes())
    clean.save(out, "PNG", optimize=True)
    return out.getvalue()


def _eight_bits(picture: Image.Image) -> Image.Image:
    """RGB, or RGBA where there is something to see through."""
    if picture.mode.startswith("I") or picture.mode == "F":
        # 16-bit gray: Pillow's own conversion would clip everything above 255 to white.
        picture = picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    see_through = picture.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in picture.info
    return picture.convert("RGBA" if see_through else "RGB")
