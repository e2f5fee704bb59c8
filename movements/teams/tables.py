"""The stored data of plans of teams: starters with adders, and Emmanuel 16."""

# A key is an odd number m of places. The value has pairs {x, x + d}, one for each d from 1 on. A pair is given by x and
# by its adder a. All numbers are modulo m. The pairs are a starter: each place except 0 is in exactly one pair. The
# pairs {x + a, x + a + d} are a starter too. No adder is 0, and no adder comes twice. The squares that result are known
# as Room squares. None exists for 3 and 5 places.
STARTERS: dict[int, tuple[tuple[int, int], ...]] = {
    7: ((4, 5), (1, 3), (6, 6)),
    9: ((5, 5), (2, 2), (7, 7), (8, 4)),
    11: ((2, 6), (5, 10), (6, 7), (8, 2), (10, 8)),
    13: ((3, 6), (5, 1), (9, 5), (10, 2), (6, 9), (2, 3)),
    15: ((11, 7), (1, 11), (5, 2), (9, 8), (2, 6), (4, 1), (14, 10)),
    17: ((7, 2), (1, 13), (10, 11), (11, 8), (16, 14), (6, 16), (2, 6), (14, 15)),
    19: ((15, 7), (3, 11), (9, 17), (10, 14), (18, 16), (7, 18), (1, 10), (17, 15), (2, 6)),
    21: ((11, 19), (16, 8), (4, 10), (9, 20), (5, 6), (17, 2), (15, 5), (19, 17), (20, 14), (14, 4)),
    23: ((2, 18), (12, 20), (4, 12), (13, 16), (11, 19), (15, 10), (1, 14), (20, 21), (10, 17), (22, 15), (18, 22)),
    25: ((2, 20), (10, 3), (4, 14), (19, 8), (15, 15), (16, 12), (1, 16), (9, 24), (5, 6), (11, 18), (13, 13), (6, 1)),
    27: (
        (20, 13),
        (2, 21),
        (8, 8),
        (22, 6),
        (13, 23),
        (9, 3),
        (5, 10),
        (16, 14),
        (1, 16),
        (23, 25),
        (14, 15),
        (7, 1),
        (17, 7),
    ),
    29: (
        (7, 14),
        (2, 23),
        (25, 5),
        (22, 10),
        (19, 15),
        (11, 1),
        (9, 4),
        (12, 26),
        (1, 18),
        (13, 22),
        (3, 12),
        (15, 16),
        (5, 6),
        (21, 2),
    ),
    31: (
        (23, 15),
        (3, 23),
        (29, 1),
        (22, 14),
        (14, 29),
        (9, 7),
        (18, 19),
        (12, 30),
        (2, 18),
        (6, 9),
        (30, 22),
        (27, 27),
        (4, 10),
        (7, 3),
        (13, 21),
    ),
    33: (
        (26, 13),
        (12, 7),
        (31, 1),
        (5, 19),
        (18, 25),
        (22, 16),
        (32, 28),
        (7, 11),
        (8, 8),
        (10, 3),
        (19, 17),
        (25, 4),
        (11, 31),
        (2, 15),
        (21, 9),
        (13, 24),
    ),
    35: (
        (6, 22),
        (30, 8),
        (33, 1),
        (24, 18),
        (13, 4),
        (19, 26),
        (8, 12),
        (14, 34),
        (3, 20),
        (16, 28),
        (20, 19),
        (34, 25),
        (4, 14),
        (23, 10),
        (29, 32),
        (5, 9),
        (10, 33),
    ),
    37: (
        (16, 4),
        (28, 16),
        (12, 10),
        (19, 32),
        (33, 3),
        (5, 21),
        (24, 19),
        (10, 9),
        (25, 15),
        (29, 6),
        (35, 30),
        (32, 35),
        (8, 8),
        (13, 34),
        (36, 24),
        (4, 13),
        (26, 5),
        (22, 12),
    ),
    39: (
        (1, 36),
        (13, 11),
        (23, 29),
        (29, 16),
        (16, 2),
        (12, 9),
        (27, 17),
        (37, 35),
        (19, 31),
        (7, 15),
        (38, 30),
        (30, 6),
        (35, 34),
        (11, 3),
        (32, 38),
        (20, 22),
        (14, 33),
        (4, 13),
        (5, 10),
    ),
    41: (
        (1, 38),
        (11, 17),
        (15, 8),
        (5, 27),
        (31, 15),
        (20, 36),
        (32, 11),
        (6, 21),
        (24, 25),
        (28, 16),
        (40, 32),
        (23, 24),
        (16, 37),
        (7, 13),
        (22, 23),
        (3, 19),
        (17, 31),
        (12, 40),
        (8, 6),
        (25, 12),
    ),
}

# Emmanuel 16, from the affine plane of order 4: each line is a position, and each letter is a team (a is team 1). In
# each group of four, the first team attacks the three others, with its blue, white and red player. The regulation names
# this movement without its plan, so this is our reading (not settled).
EMMANUEL_16 = """
    cabd gefh lijk mnop
    bacd fegh ijkl pmno
    abcd efgh jikl omnp
    dabc hefg kijl nmop
    maei fbjn ocgk dhlp
    eaim bfjn kcgo ldhp
    aeim nbfj gcko pdhl
    iaem jbfn cgko hdlp
    kafp obel ichn gdjm
    fakp lbeo nchi jdgm
    afkp belo hcin mdgj
    pafk eblo chin dgjm
    lagn hbkm pcej odfi
    nagl mbhk ecjp idfo
    galn bhkm jcep dfio
    agln kbhm cejp fdio
    jaho pbgi mcfl kden
    ahjo ibgp lcfm dekn
    hajo gbip fclm edkn
    oahj bgip cflm ndek
"""
