"""Pictures: decoded under limits, made small, nothing of the file's own left in them."""

import io
import struct
import zlib

import pytest
from PIL import Image

from kotonia_desktop.interop.imported import Notes
from kotonia_desktop.interop.pictures import read_picture


def encode(image, form="PNG", **options):
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def decode(data):
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def read(data):
    notes = Notes()
    return read_picture(data, notes), [code for code, _ in notes.found]


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_four_formats_become_a_small_png(form):
    picture, notes = read(encode(Image.new("RGB", (1024, 600), "teal"), form))
    assert decode(picture).format == "PNG"
    assert decode(picture).size == (512, 300)
    assert notes == []


@pytest.mark.parametrize("form", ["TIFF", "BMP", "ICO", "PPM"])
def test_other_formats_are_refused_whatever_their_name(form):
    assert read(encode(Image.new("RGB", (20, 20)), form)) == (None, ["picture_refused"])


def test_postscript_is_never_handed_to_another_program():
    assert read(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\nshowpage\n")[0] is None


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded():
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    for side in (7_000, 30_000, 2**31 - 1):
        header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))
        data = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
        assert read(data) == (None, ["picture_refused"])


def test_a_picture_lies_upright_and_forgets_where_it_was_taken():
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees
    exif[0x8825] = {1: "N", 2: (35.0, 41.0, 22.0)}
    source = Image.new("RGB", (40, 20), "red")
    picture, _ = read(encode(source, "JPEG", exif=exif))
    assert decode(picture).size == (20, 40)
    assert not decode(picture).getexif()
    assert b"eXIf" not in picture
    assert Image.open(io.BytesIO(encode(source, "JPEG", exif=exif))).getexif()  # the control: it was there


def test_transparency_is_kept():
    picture, _ = read(encode(Image.new("RGBA", (8, 8), (255, 0, 0, 0))))
    assert decode(picture).getpixel((0, 0))[3] == 0


def test_sixteen_bit_gray_is_not_clipped_to_white():
    picture, _ = read(encode(Image.new("I;16", (4, 4), 32_768)))
    assert 120 < decode(picture).getpixel((0, 0))[0] < 136


def test_the_first_frame_of_an_animation_is_taken_and_noted():
    frames = [Image.new("RGB", (8, 8), color) for color in ("red", "blue")]
    picture, notes = read(encode(frames[0], "GIF", save_all=True, append_images=frames[1:]))
    assert decode(picture).getpixel((0, 0))[:3] == (255, 0, 0)
    assert notes == ["first_frame_only"]


def test_a_picture_that_is_cut_off_is_shown_as_far_as_it_goes():
    whole = encode(Image.effect_noise((200, 200), 60), "PNG")
    picture, notes = read(whole[: len(whole) // 2])
    assert decode(picture).size == (200, 200)
    assert notes == ["picture_damaged"]


def test_a_thin_strip_keeps_a_pixel_on_each_side():
    picture, _ = read(encode(Image.new("RGB", (20_000, 20))))
    assert decode(picture).size == (512, 1)


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"<svg/>"])
def test_what_is_no_picture_is_refused(data):
    assert read(data) == (None, ["picture_refused"])
