"""The perfect plans that follow no shifts: for 14, 18 and 20 tables, each with as many positions.

North does not move. Each line of the table is a position. A line has the numbers of East, South, West and the étui sets
at tables 1, 2 … . Each number counts from 0 and is one digit of base 32. The plans come from known sets of orthogonal
squares. The sources are Todorov (2012) for 14, Abel (2013 and 2015) for 18, and the Handbook of Combinatorial Designs
III.3.49 for 20.
"""

SQUARES = {
    14: """
        0123456789abcd 0123456789abcd 0123456789abcd 0123456789abcd
        b7510396d2c84a 938571bc4ad062 5c982b71a06d34 84a6c9d31b5270
        c4d95708b61a23 6d7ab485210c39 a746083b9dc512 3b928054ca7d61
        7a36c9d024b581 a9c4061db58327 2dab5c08361479 dc756b4a902138
        6d80bac5713492 80d21394c6ba75 c81d37460259ba 9301d87b2546ac
        ab6274819d503c da3c587b129604 b40912ad5c8763 15c4a3b076d982
        284b1d3a5c6970 4c072ba1685d93 d3bc69821740a5 7ad092c641835b
        d9a568b2c37104 34b0d956a7281c 62c790d5b13a48 a85c76310db429
        46c89b231a0d57 b7163cd29045a8 1584a6c07392db c2bd0185a43796
        13ba2c4d058769 c648972a5d31b0 4970bd53ca2681 b06734a8d29c15
        350481ac6792db 5291ad430bc786 7b6ac31924d850 27481c9db3650a
        80973254abdc16 1b5d80c973624a 9a35d42c68b107 5619ba0237c8d4
        927cd01b3846a5 286bca30d47951 86d271ba45039c 4d8a57296c10b3
        5c1da6794023b8 75a962083c14db 30518a94db7c26 693b2d1c580a47
    """,
    18: """
        0123456789abcdefgh 0123456789abcdefgh 0123456789abcdefgh 0123456789abcdefgh
        867ab9hfgcde534201 hfgecd453201678b9a fgh786b9a345012cde ab9012ecd534fgh786
        ghfdec1205349ab786 ab9867cdeghf453120 cde9ab534786fgh012 345ab9hfg201786cde
        786120453ghfab9dec 453hfgecdb9a201678 345decab9120867ghf dec9ab201678453hfg
        fgh678b9a012dec345 cdeab9867120ghf453 786120453ghfab9dec ghf5349abecd120678
        201hfgecd867345ab9 678012345fgh9abcde 9abghf867dec453120 867201534hfgb9aecd
        534867201ecdhfgb9a 867cdeab9453120ghf 678ab9hfg201ecd534 b9afgh453867dec012
        9abghf786453120ecd 345678012cdefgh9ab b9a453ecdhfg201678 453786120decghfab9
        cde012fghb9a678453 ecd453hfg678b9a201 534867201ecdhfgb9a 120cdeb9aghf867345
        ab9201dechfg453678 dec1209ab867hfg534 hfg678cde0129ab345 786ghf012345ecd9ab
        dec786345120b9ahfg 786fgh201345ab9dec ecdb9a012fgh345786 cde867ab9012hfg534
        345fghab9678ecd120 534b9aghfecd012786 201534fghcde7869ab fghdec345ab9678201
        ecdb9a012786fgh534 201786fghdec345ab9 ghf012345ab9dec867 9abecd786453201ghf
        453ecd867fgh2019ab ghf534b9a786ecd012 decfgh786453120ab9 534hfgcde1209ab867
        b9a453ghf201786cde 9abdec120534867hfg 120cde9ab867ghf453 201678fghb9a534dec
        120cde9ab345867ghf b9aghf534012786ecd ab9201dec534678hfg ecd453ghf786012b9a
        678534cdeab9ghf012 1209abdechfg534867 453hfg120678b9aecd hfg120867cdeab9453
        hfg9ab534dec012867 fgh201786ab9dec345 867ecdghfb9a534201 678b9adecfgh345120
    """,
    20: """
        0123456789abcdefghij 0123456789abcdefghij 0123456789abcdefghij 0123456789abcdefghij
        b0feaghij128453769dc 1g3j9a0he5c2ifd6874b 2fj7i13ech8a0g954b6d jcb568a94die23g0f17h
        3406789dbcfe1ghaji25 a379bc2g460fj18dh5ei e74dc2ji5g6hafb83109 4h32a9dei8gj0561cfb7
        eag0ij1234567f9d8cbh 629ecifj7ahg8b35d401 f5c19g7d23be6a40hij8 28765eig0jd1hca9b3f4
        47890bcfeaghij62315d ghjc6f18be2475i90da3 d43gj8bc97i05ea1f62h f5d49a0j1chgb73ei268
        hgj120456789dbcieaf3 274bfh835i6jae01cgd9 791ibdh0g8c2f35aj4e6 9fag8iechb3712460j5d
        6d9cfe0ghij12345b78a djeai845901hb26g3f7c 5c8j2096fbhg74i3ad1e aife1dj037264b589chg
        1i3256709dbcfeagh4j8 edb6215a0cg34ijh798f j3ghd7f8e406bc12ia95 7ejf0bghc645982adi31
        cfbaehij023456789dg1 56dihj302gf79a1b4ec8 8dib69c4h51fe0gj72a3 640hfc217398aid5egjb
        956487dbc0eaghij123f f0hd14b9gj78ec23ia65 ah920e8g163j45fbdc7i h98c7f35b46idejga012
        a2hig1j3450789dbcfe6 h8g4d3aic7be56fj9120 ca687f5hbjeid13409g2 b7id34f6a289jg0h1ec5
        78edb9fcagh0j123456i j457ad921fei60h8bc3g bgaehc4360d529ji1f87 324jg68f9e5dih1c7b0a
        ij173426589d0cfeaghb 9ba0e2dcj3861hg45if7 h0ba56g1ief9378d2j4c c658h19dfi0agj7b342e
        dbcfjageih1230567894 8ci2g6jdfb95h347a01e 16f0a3ebj2548ich97dg 539ad7bigfjce1h42680
        23456c897bdfea0hij1g 35f1j7hbd8ic049ae2g6 9je4fai50d731h2g68cb da6ieg42j1fh30b7859c
        feaghi512j436780dbc9 79083be4id51fgac26jh g8d514a23f9cij67beh0 ige9j0185hbf76c24da3
        56789dbhfecgaij10342 becg59i6a1d03872fjh4 6bh93j1a7i48g2dec05f ej10ihcbda72f49358g6
        ghij1234d67598bcf0ae 4i6f70c1h23dg95ej8ba 3e068idjac21hb795gf4 10hbcj732ge45f8i6ad9
        89dbcfeag3ijh2145607 ia1h8egf34j9d7c06b52 4i5feh29dag7j60c83b1 gbc723h465108afdj9ei
        jc5hd3a81f6ib4g92e70 cf850g7e6h4a2jbi139d i27cgb0f41jd98h6e53a 8dg1b25ae0c369ijh74f
    """,
}
