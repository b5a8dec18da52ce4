"""Paints the pictures of the three starter characters: places, no faces. Ours, drawn with Pillow alone.

Run it after a change: `python packaging/draw_starters.py [FOLDER]`; without a folder it writes to
`resources/starters/`. The same script gives the same pixels.
"""

import math
import random
import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from starter_canvas import Canvas


def umbrella(c: Canvas, x: float, y: float, length: float, color: str, lean: float = 0) -> None:
    """A furled umbrella, its handle up."""
    tip = (x + lean, y + length)
    c.line([(x, y), (x + lean * 0.3, y + length * 0.3)], 7, "#C08A4A")
    c.arc(x - 13, y, 13, 16, 180, 360, 7, "#C08A4A")
    c.poly([(x + lean * 0.25 - 9, y + length * 0.25), (x + lean * 0.25 + 9, y + length * 0.25),
            (x + lean * 0.5 + 17, y + length * 0.5), tip, (x + lean * 0.5 - 17, y + length * 0.5)], color)  # fmt: skip
    c.line([(x + lean * 0.28, y + length * 0.28), tip], 3, "#12161B", 0.35)


def suitcase(c: Canvas, x: float, y: float, w: float, h: float, color: str, band: str) -> None:
    """A suitcase with a handle and two bands."""
    c.arc(x + w / 2, y, w * 0.16, h * 0.16, 180, 360, 8, band)
    c.box(x, y, w, h, color, 9)
    c.box(x, y + h * 0.78, w, h * 0.22, "#0E1216", 9, 0.18)
    for share in (0.18, 0.72):
        c.box(x + w * share, y, w * 0.1, h, band)
    c.box(x + w * 0.44, y + h * 0.4, w * 0.12, h * 0.12, "#E2B25C", 3)


def lost_property() -> Image.Image:
    """A station's lost property counter at night: shelves, a clock at ten to six, one gap on a shelf."""
    c = Canvas("#182329", "#22312F")
    for x in range(0, 1001, 125):  # panelled wall
        c.box(x, 0, 3, 720, "#0F171B", alpha=0.5)
    c.box(0, 0, 1000, 70, "#0F171B", alpha=0.55)
    # shelves left and right of the clock
    wood, under, back = "#6B4526", "#3A2616", "#121A1D"
    for x, w in ((40, 285), (675, 285)):
        c.box(x, 120, w, 600, back)
        for y in (285, 455, 625):
            c.box(x - 12, y, w + 24, 15, wood)
            c.box(x - 12, y + 15, w + 24, 9, under)
        for side in (x - 12, x + w - 2):
            c.box(side, 105, 14, 620, wood)
        c.box(x - 12, 105, w + 24, 15, wood)
    # left: hats, suitcase, books
    c.oval(118, 276, 62, 9, "#8E6B3D")
    c.poly([(82, 276), (88, 224), (148, 224), (154, 276)], "#A37C48")
    c.box(86, 256, 64, 12, "#4A2E18")
    c.box(214, 205, 80, 80, "#35505A", 6)
    c.box(214, 205, 80, 22, "#4A6A73", 6)
    c.line([(254, 205), (254, 285)], 6, "#B98B4E")
    suitcase(c, 62, 372, 128, 83, "#7B3B2C", "#C98D4B")
    for i, (h, color) in enumerate(((78, "#3F5B4D"), (88, "#A0703A"), (70, "#5D4A6E"), (84, "#8D3F33"))):
        c.box(214 + i * 24, 455 - h, 21, h, color, 3)
        c.box(214 + i * 24, 455 - h + 12, 21, 5, "#E8D9B8", alpha=0.5)
    for x, color, lean in (
        (80, "#1F6F6B", 10),
        (128, "#A5352A", -6),
        (176, "#C58A33", 8),
        (224, "#45506E", -8),
        (272, "#6D7F4B", 6),
    ):
        umbrella(c, x, 500, 122, color, lean)
    # right: birdcage with a hat in it, the gap, boxes
    cage = 752
    c.arc(cage, 200, 46, 52, 180, 360, 5, "#D9A95A")
    for dx in (-46, -23, 0, 23, 46):
        top = 200 - 52 * math.sqrt(max(0.0, 1 - (dx / 46) ** 2))
        c.line([(cage + dx, top), (cage + dx, 280)], 3.5, "#D9A95A")
    c.oval(cage, 262, 33, 6, "#5A3A6B")
    c.oval(cage, 252, 18, 15, "#6D4A80")
    c.line([(cage - 48, 280), (cage + 48, 280)], 7, "#D9A95A")
    c.arc(cage, 140, 9, 9, 0, 360, 4, "#D9A95A")
    c.box(846, 190, 84, 95, "#8A6A44", 5)
    c.box(846, 228, 84, 12, "#B9925E")
    c.box(872, 205, 32, 16, "#EFE4CB", 2)
    c.box(700, 410, 60, 45, "#50655A", 5)  # shelf D: two cases and a clean rectangle of dust between them
    c.box(882, 392, 56, 63, "#6E4A33", 5)
    c.box(776, 447, 92, 8, "#D8CDB6", 2, 0.55)
    c.line([(822, 470), (822, 492)], 2.5, "#D8CDB6")
    c.poly([(806, 492), (838, 492), (838, 524), (822, 532), (806, 524)], "#EFE4CB")
    c.line([(813, 506), (831, 506)], 3, "#8A5600")
    c.line([(813, 515), (827, 515)], 3, "#8A5600")
    suitcase(c, 694, 556, 116, 69, "#2F5554", "#B98B4E")
    c.box(838, 540, 96, 85, "#7C5A37", 5)
    c.box(838, 572, 96, 10, "#A98253")
    # clock
    c.oval(500, 230, 116, 116, "#0C1114", 0.5, 18)
    c.oval(500, 222, 112, 112, "#8A5E30")
    c.oval(500, 222, 100, 100, "#F6EBD2")
    for i in range(12):
        t = math.radians(i * 30)
        inner = 74 if i % 3 == 0 else 82
        c.line([(500 + inner * math.sin(t), 222 - inner * math.cos(t)),
                (500 + 90 * math.sin(t), 222 - 90 * math.cos(t))], 7 if i % 3 == 0 else 4, "#3B2A1B")  # fmt: skip
    for angle, length, width in ((175, 46, 10), (300, 74, 7)):
        t = math.radians(angle)
        c.line([(500, 222), (500 + length * math.sin(t), 222 - length * math.cos(t))], width, "#2A1E14")
    c.oval(500, 222, 10, 10, "#A5352A")
    # hanging lamp and its light
    c.line([(500, 334), (500, 420)], 5, "#0C1114")
    c.poly([(430, 482), (470, 420), (530, 420), (570, 482)], "#1F6F6B")
    c.poly([(430, 482), (470, 420), (486, 420), (462, 482)], "#2F8B85")
    c.oval(500, 484, 40, 15, "#FFE9B8")
    c.poly([(436, 486), (564, 486), (800, 760), (200, 760)], "#FFD98E", 0.16, 16)
    c.glow(500, 500, 330, 330, "#FFC873", 0.62)
    # counter
    c.box(0, 742, 1000, 260, "#4E2F1A")
    c.box(0, 716, 1000, 40, "#8A5A30")
    c.box(0, 716, 1000, 9, "#C08A4A")
    for x in range(60, 1000, 220):
        c.box(x, 790, 180, 190, "#432815", 8)
        c.box(x + 14, 804, 152, 162, "#573620", 6)
    c.oval(500, 722, 330, 26, "#FFDFA0", 0.35, 10)
    # ledger, pen, bell, two piles of forms
    c.poly([(392, 716), (420, 674), (500, 684), (500, 720)], "#FBF3DF")
    c.poly([(608, 716), (580, 674), (500, 684), (500, 720)], "#EFE2C4")
    c.line([(500, 684), (500, 720)], 3, "#9C7A4C")
    for i in range(3):
        c.line([(424 - i * 7, 688 + i * 9), (488, 694 + i * 8)], 2, "#8B857A", 0.7)
    c.line([(596, 708), (536, 690)], 6, "#24221E")
    c.oval(286, 712, 46, 8, "#7A4A1E")
    c.arc(286, 708, 34, 34, 180, 360, 2, "#E2B25C")
    c.poly(
        [(286 + 36 * math.cos(math.radians(a)), 708 + 36 * math.sin(math.radians(a))) for a in range(180, 361, 6)],
        "#DDA94F",
    )
    c.poly(
        [(286 + 30 * math.cos(math.radians(a)) - 4, 704 + 30 * math.sin(math.radians(a))) for a in range(190, 281, 6)],
        "#F4D793",
    )
    c.oval(286, 668, 7, 7, "#8A5A30")
    for x in (694, 786):
        for i in range(4):
            c.box(x + (i % 2) * 4, 706 - i * 8, 70, 7, "#F3EAD6" if i % 2 else "#DCCFB2", 1)
    return c.finish(1)


def cafe() -> Image.Image:
    """A window table of a café by the sea: rain, a bowl with steam, a small pair of scales."""
    c = Canvas("#5B7280", "#9DA79F")
    dice = random.Random(2)
    # the sea and the hill behind the glass
    c.box(0, 330, 1000, 220, "#54717A")
    for y in range(345, 520, 22):
        for _ in range(7):
            x = dice.uniform(0, 950)
            c.line([(x, y), (x + dice.uniform(30, 90), y)], 3, "#8FA9AC", 0.45)
    c.poly([(0, 340), (0, 250), (120, 215), (260, 262), (400, 330), (430, 340)], "#465A5C", 0.9, 3)
    c.poly([(1000, 344), (1000, 292), (870, 270), (760, 322), (720, 344)], "#536769", 0.8, 4)
    c.box(858, 206, 20, 76, "#D9D3C4", 3)
    c.poly([(852, 210), (868, 186), (884, 210)], "#A5352A")
    c.glow(868, 214, 90, 60, "#FFE2A0", 0.8)
    for x, y in ((90, 262), (150, 270), (210, 288), (270, 306)):  # lit houses on the slope
        c.poly([(x - 18, y), (x, y - 16), (x + 18, y)], "#3B4648")
        c.box(x - 15, y, 30, 26, "#6B7471")
        c.box(x - 5, y + 8, 10, 10, "#FFD27F")
        c.glow(x, y + 12, 34, 30, "#FFC15E", 0.5)
    c.poly([(585, 402), (665, 402), (650, 424), (600, 424)], "#374549")  # a boat
    c.line([(622, 402), (622, 352)], 4, "#374549")
    c.poly([(626, 356), (626, 396), (654, 396)], "#E6DCC6", 0.85)
    # rain on the glass
    for _ in range(150):
        left, top, length = dice.uniform(-20, 1020), dice.uniform(-40, 560), dice.uniform(24, 70)
        c.line([(left, top), (left - length * 0.18, top + length)], 2.2, "#E9F1F0", dice.uniform(0.12, 0.4))
    for _ in range(60):
        left, top, r = dice.uniform(90, 910), dice.uniform(80, 540), dice.uniform(3, 8)
        c.oval(left, top, r * 0.8, r, "#F2F7F5", 0.35)
        c.oval(left - r * 0.2, top - r * 0.3, r * 0.25, r * 0.3, "#FFFFFF", 0.7)
    # the room: walls, frame, curtain, lamp
    wall = "#6A4A34"
    c.box(0, 0, 1000, 62, wall)
    c.box(0, 0, 74, 1000, wall)
    c.box(926, 0, 74, 1000, wall)
    frame, light = "#8C5F3A", "#B98456"
    for x, y, w, h in (
        (62, 50, 876, 26),
        (62, 50, 26, 540),
        (912, 50, 26, 540),
        (488, 60, 20, 520),
        (70, 300, 860, 14),
    ):
        c.box(x, y, w, h, frame)
        c.box(x, y, w if w > h else 6, 6 if w > h else h, light)
    for x in range(70, 930, 86):  # a short curtain, in scallops
        c.box(x, 62, 86, 60, "#F0E4CC", alpha=0.96)
        c.oval(x + 43, 122, 43, 26, "#F0E4CC", 0.96)
        c.line([(x, 66), (x, 120)], 4, "#D6C3A0", 0.8)
    c.box(62, 58, 876, 12, "#A06A3C", 4)
    for x, y in ((180, 205), (300, 182)):  # swallows, the café's sign, painted on the glass
        c.poly(
            [
                (x - 46, y - 12),
                (x, y),
                (x + 42, y - 24),
                (x + 8, y + 12),
                (x + 26, y + 34),
                (x - 2, y + 17),
                (x - 22, y + 30),
                (x - 12, y + 8),
            ],
            "#F6EBD2",
            0.85,
        )
    c.line([(700, 0), (700, 140)], 5, "#2E2019")
    c.poly([(628, 214), (668, 140), (732, 140), (772, 214)], "#C9772E")
    c.poly([(628, 214), (668, 140), (684, 140), (660, 214)], "#E39A4C")
    c.oval(700, 214, 72, 13, "#FFE7B0")
    c.glow(700, 250, 400, 380, "#FFB45A", 0.55)
    # sill and table
    c.box(40, 566, 920, 34, "#A9764A")
    c.box(40, 566, 920, 8, "#D3A06A")
    c.box(40, 600, 920, 14, "#5B3B26")
    c.box(0, 690, 1000, 310, "#7A4D2E")
    c.box(0, 614, 1000, 80, "#543726")
    c.box(0, 686, 1000, 20, "#B07A4A")
    c.box(0, 686, 1000, 6, "#DCA86E")
    for y, x, w in ((770, 40, 420), (835, 300, 620), (900, 90, 380), (950, 520, 400), (742, 640, 300)):
        c.line([(x, y), (x + w, y + 4)], 4, "#68401F", 0.45)
    # plant on the sill
    c.poly([(120, 566), (132, 500), (208, 500), (220, 566)], "#B5653B")
    c.box(124, 492, 92, 16, "#CB7B4D", 4)
    for dx, dy, lean in ((-46, -80, -18), (-18, -112, -6), (14, -120, 6), (44, -86, 18), (0, -70, 0)):
        c.line([(170, 496), (170 + dx * 0.6, 496 + dy * 0.6), (170 + dx + lean, 496 + dy)], 5, "#3F6B45")
        c.oval(170 + dx + lean, 496 + dy, 20, 13, "#5B8A57")
    # the bowl of soup, chipped at its rim
    c.oval(500, 872, 232, 34, "#2A1A10", 0.45, 10)
    c.oval(500, 856, 196, 36, "#E9DEC8")
    c.oval(500, 850, 196, 36, "#FBF5E8")
    c.oval(500, 846, 150, 24, "#E3D6BC")
    half = [math.radians(a) for a in range(0, 181, 4)]
    c.poly([(500 + 172 * math.cos(t), 738 + 116 * math.sin(t)) for t in half], "#F7EFDE")
    c.poly(
        [(500 + 172 * math.cos(t), 738 + 116 * math.sin(t)) for t in half if math.cos(t) < -0.3] + [(430, 738)],
        "#D9C8A8",
        0.55,
    )
    c.line([(500 + 168 * math.cos(t), 756 + 58 * math.sin(t)) for t in half[3:-3]], 6, "#4D7C8A", 0.85)
    c.oval(500, 738, 172, 42, "#FFFAF0")
    c.oval(500, 742, 152, 33, "#E7C88E")
    c.oval(470, 738, 90, 16, "#F3DDAE", 0.8)
    for x, y, r in ((420, 742, 20), (505, 752, 24), (575, 738, 18)):
        c.oval(x, y, r * 1.25, r * 0.55, "#FFF6E0")
    for x, y in ((452, 752), (540, 734), (600, 748), (390, 736), (486, 732)):
        c.oval(x, y, 8, 4, "#6F8F4A")
    c.poly([(600, 706), (622, 700), (640, 712), (618, 722)], "#C9A77B")
    # steam
    for x, sway, height in ((430, 26, 250), (500, -30, 320), (572, 26, 260)):
        path = [(x + sway * math.sin(i / 5), 715 - i * height / 30) for i in range(31)]
        c.line(path, 26, "#FFFFFF", 0.30, 13)
        c.line(path, 9, "#FFFFFF", 0.30, 6)
    # spoon, scales, blue notebook
    c.line([(716, 884), (846, 838)], 12, "#B9B6AE")
    c.line([(716, 881), (846, 835)], 4, "#EFEDE6")
    c.oval(702, 890, 34, 20, "#C9C6BE")
    c.oval(698, 887, 24, 12, "#A7A49B")
    c.poly([(150, 892), (320, 872), (340, 930), (160, 954)], "#1F4F75")
    c.poly([(150, 892), (320, 872), (323, 882), (152, 903)], "#3A7099")
    c.line([(196, 887), (206, 948)], 6, "#E2B25C", 0.8)
    c.line([(330, 866), (376, 950)], 9, "#D59A3C")
    c.poly([(372, 944), (384, 962), (380, 940)], "#24221E")
    c.poly([(836, 714), (864, 640), (886, 640), (914, 714)], "#3F4B4C")
    c.oval(875, 682, 22, 22, "#F6EBD2")
    c.line([(875, 682), (884, 668)], 4, "#A5352A")
    c.line([(820, 636), (930, 636)], 8, "#C9A04E")
    c.oval(875, 632, 56, 9, "#E2C07A")
    c.oval(866, 626, 14, 6, "#FFFFFF")
    return c.finish(2)


def landing() -> Image.Image:
    """A river landing in fog, at night: a scribe's desk with a lamp, a brush, a letter turned over."""
    c = Canvas("#1E2A33", "#5E6A66")
    dice = random.Random(3)
    c.oval(760, 150, 46, 46, "#E9E3CF", 0.75, 5)  # the moon of the fifteenth
    c.glow(760, 150, 220, 220, "#D8DCC8", 0.45)
    for base, peaks, color, alpha in (
        (420, ((0, 300), (140, 210), (280, 300), (420, 250), (560, 330), (1000, 350)), "#2D3C44", 0.9),
        (450, ((0, 380), (200, 350), (420, 400), (640, 300), (820, 220), (1000, 300)), "#35464C", 0.9),
    ):
        c.poly([(0, base), *peaks, (1000, base)], color, alpha, 5)
    c.box(0, 420, 1000, 220, "#4F6064")
    for y in range(440, 620, 16):
        for _ in range(6):
            x = dice.uniform(0, 940)
            c.line([(x, y), (x + dice.uniform(40, 130), y)], 2.5, "#8A9A98", 0.35)
    # the ferry, tied up for the night
    c.poly([(560, 486), (830, 486), (790, 526), (600, 526)], "#1B2429")
    c.poly([(610, 486), (630, 440), (760, 440), (780, 486)], "#253137")
    c.poly([(600, 444), (695, 416), (790, 444)], "#1B2429")
    c.oval(572, 462, 11, 14, "#FFC873")
    c.glow(572, 462, 90, 90, "#FFB861", 0.8)
    c.line([(572, 476), (572, 540)], 5, "#FFCF8A", 0.35, 3)
    for x, h in ((500, 150), (868, 170), (930, 130)):  # mooring posts
        c.box(x, 600 - h, 18, h, "#20282B", 3)
        c.box(x, 600 - h, 18, 8, "#4B575A", 3)
    # fog in bands
    for y, alpha in ((330, 0.30), (404, 0.42), (470, 0.30), (548, 0.46), (610, 0.35)):
        for _ in range(3):
            c.oval(
                dice.uniform(50, 950), y + dice.uniform(-16, 16), dice.uniform(240, 420), 26, "#BFC8C2", alpha * 0.6, 22
            )
    # the shop's frame: eaves, post, curtain, sign
    c.poly([(0, 0), (1000, 0), (1000, 74), (0, 96)], "#241912")
    c.poly([(0, 88), (1000, 66), (1000, 84), (0, 108)], "#5A3B22")
    for x in range(20, 1000, 54):
        c.oval(x, 103 - x * 0.022, 21, 15, "#38271A")
        c.oval(x, 101 - x * 0.022, 13, 9, "#513824")
    c.box(0, 60, 84, 700, "#3A2618")
    c.box(74, 96, 12, 664, "#6B4526")
    for i, x in enumerate(range(90, 420, 82)):
        c.poly([(x, 104), (x + 78, 102), (x + 74, 236 + (i % 2) * 8), (x + 4, 240 - (i % 2) * 6)], "#27505A", 0.95)
        c.line([(x + 39, 110), (x + 39, 226)], 3, "#1B3B43", 0.7)
    c.oval(250, 172, 34, 34, "#E9E3CF", 0.9)
    c.poly([(229, 176), (236, 166), (262, 168), (270, 162), (273, 172), (262, 178), (238, 177)], "#27505A")  # 一
    # desk
    c.poly([(60, 690), (940, 690), (1000, 800), (1000, 1000), (0, 1000), (0, 800)], "#6B4224")
    c.poly([(60, 690), (940, 690), (948, 704), (52, 704)], "#B57E48")
    c.box(0, 900, 1000, 100, "#3E2414")
    c.box(0, 892, 1000, 12, "#8D5C33")
    for y, x, w in ((745, 120, 300), (790, 560, 330), (838, 60, 420), (868, 520, 400)):
        c.line([(x, y), (x + w, y + 3)], 4, "#54331A", 0.5)
    # oil lamp
    c.oval(262, 790, 92, 18, "#1E120A", 0.45, 8)
    c.poly([(204, 782), (228, 738), (296, 738), (320, 782)], "#A87B3A")
    c.poly([(204, 782), (228, 738), (244, 738), (226, 782)], "#D9AE62")
    c.box(240, 706, 44, 34, "#8A6029", 6)
    c.poly([(222, 706), (214, 640), (236, 570), (288, 570), (310, 640), (302, 706)], "#FFE9BE", 0.42)
    c.line([(222, 706), (214, 640), (236, 570)], 4, "#FFF4DC", 0.7)
    c.line([(302, 706), (310, 640), (288, 570)], 4, "#FFF4DC", 0.5)
    c.poly([(262, 590), (282, 648), (276, 682), (262, 692), (248, 682), (242, 648)], "#FFB547")
    c.poly([(262, 626), (273, 660), (262, 686), (251, 660)], "#FFF3CC")
    c.glow(262, 640, 430, 400, "#FFAF4D", 0.72)
    c.oval(400, 770, 330, 60, "#FFCB7D", 0.22, 24)
    # letter turned over, paperweight, white sheet with columns of writing
    c.poly([(392, 748), (560, 740), (604, 846), (410, 858)], "#EADFC6")
    c.poly([(392, 748), (560, 740), (566, 756), (396, 765)], "#D6C7A5", 0.7)
    c.poly([(592, 742), (768, 738), (842, 842), (640, 850)], "#FBF5E6")
    for i in range(5):
        x = 742 - i * 30
        for k in range(4):
            if i == 4 and k > 1:
                continue  # the letter breaks off
            y = 756 + k * 21
            shift = (y - 740) * 0.52
            for _ in range(3):  # strokes, no letters: nobody is to read it
                dx, dy, across = dice.uniform(-6, 4), dice.uniform(0, 11), dice.random() < 0.6
                end = (x + shift + dx + (9 if across else 1), y + dy + (-1 if across else 7))
                c.line([(x + shift + dx, y + dy), end], 3.2, "#2B2A2A", 0.8)
    c.box(428, 792, 140, 26, "#3B4A46", 6)
    c.box(428, 792, 140, 9, "#66786F", 6)
    # inkstone, brush rest, brush
    c.box(842, 742, 104, 58, "#22282A", 12)
    c.oval(894, 770, 38, 18, "#0C0F10")
    c.oval(884, 765, 14, 5, "#4B5658", 0.8)
    c.line([(690, 872), (866, 812)], 13, "#B9803F")
    c.line([(690, 868), (866, 808)], 4, "#E0B272")
    c.poly([(696, 862), (702, 882), (640, 896), (626, 893), (640, 882)], "#EFE6D2")
    c.poly([(652, 880), (656, 893), (640, 896), (622, 894)], "#1A1A1A")
    # teacup
    c.oval(152, 856, 54, 12, "#1E120A", 0.4, 6)
    c.poly([(106, 800), (198, 800), (182, 850), (122, 850)], "#D8E0D6")
    c.poly([(106, 800), (130, 800), (138, 850), (122, 850)], "#AFBDB2")
    c.oval(152, 800, 46, 11, "#F0F4EC")
    c.oval(152, 801, 38, 8, "#B98A3F")
    for x, sway in ((140, 10), (164, -10)):
        c.line([(x + sway * math.sin(i / 4), 790 - i * 4.4) for i in range(26)], 10, "#FFFFFF", 0.28, 7)
    c.oval(640, 640, 420, 34, "#C9D0C8", 0.28, 26)
    return c.finish(3)


PLACES: dict[str, Callable[[], Image.Image]] = {"en": lost_property, "ja": cafe, "zh": landing}


def main() -> None:
    """Paint all three."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "resources" / "starters"
    for language, paint in PLACES.items():
        path = folder / f"{language}.png"
        paint().save(path, optimize=True)
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
