"""The games of fields with two to four tables, found once by `search_fields.py`.

A key has the sizes of the tables. A line is a game: the people of each table as letters, A for number 1.
"""

STORED_GAMES = 5
FIELDS: dict[tuple[int, ...], str] = {
    # 6 people: 15 repeated meetings
    (3, 3): """
        ABD CEF
        ADF BCE
        BCD AEF
        ACD BEF
        ACF BDE
    """,
    # 7 people: 24 repeated meetings
    (4, 3): """
        ACFG BDE
        ABEG CDF
        ABCD EFG
        CDEG ABF
        BDFG ACE
    """,
    # 8 people: 32 repeated meetings
    (4, 4): """
        ABCE DFGH
        BDEG ACFH
        ABDF CEGH
        BCFG ADEH
        ACDG BEFH
    """,
    # 9 people: 9 repeated meetings
    (3, 3, 3): """
        DEG AFI BCH
        CHI BDE AFG
        ABD EFH CGI
        ACE DHI BFG
        CDF BEI AGH
    """,
    # 9 people: 44 repeated meetings
    (5, 4): """
        CDEFH ABGI
        BCEHI ADFG
        BEFGH ACDI
        ACEGH BDFI
        ABCFH DEGI
    """,
    # 10 people: 15 repeated meetings
    (4, 3, 3): """
        ABCD FIJ EGH
        DFHJ AGI BCE
        DEGI CHJ ABF
        BDHI CFG AEJ
        ACHI DEF BGJ
    """,
    # 10 people: 55 repeated meetings
    (5, 5): """
        ACDHI BEFGJ
        CFGIJ ABDEH
        BEGHI ACDFJ
        ABDFG CEHIJ
        ABCEJ DFGHI
    """,
    # 11 people: 20 repeated meetings
    (4, 4, 3): """
        BCGH DEFI AJK
        BEFJ ACHI DGK
        CDHJ BFIK AEG
        CEIK FGHJ ABD
        BEHK ACDF GIJ
    """,
    # 12 people at tables of three: 3 repeated meetings
    (3, 3, 3, 3): """
        BCL AFG EIJ DHK
        ADJ BFK EGL CHI
        CFJ AHL BDE GIK
        FGH ACE BDI JKL
        CDG BHJ AEK FIL
    """,
    # 12 people: 24 repeated meetings
    (4, 4, 4): """
        CDJK ABFH EGIL
        BCDG AEKL FHIJ
        ADJL BCEI FGHK
        DEFJ AGIK BCHL
        DEHI ACFL BGJK
    """,
    # 13 people: 3 repeated meetings
    (4, 3, 3, 3): """
        ABFG CJK EIL DHM
        DFIJ BEH CGL AKM
        FHKL AEJ GIM BCD
        BJLM AEF CHI DGK
        CEFM ADL GHJ BIK
    """,
    # 13 people: 35 repeated meetings
    (5, 4, 4): """
        DEGKM AIJL BCFH
        AEFHI BDKL CGJM
        ABCLM EFJK DGHI
        BGHJL CEIK ADFM
        CDFJL BEIM AGHK
    """,
    # 14 people: 2 repeated meetings
    (4, 4, 3, 3): """
        DIJK BCGN AEM FHL
        DGHM EFJN ABK CIL
        AHIN BDEL FGK CJM
        CEHK AGJL BFI DMN
        ACDF KLMN BHJ EGI
    """,
    # 14 people: 39 repeated meetings
    (5, 5, 4): """
        CEIKN ADFLM BGHJ
        BCIJM DEFHN AGKL
        CEGHI DFJKM ABLN
        ACHIL BDFGK EJMN
        GHKMN ABEJL CDFI
    """,
    # 15 people: 0 repeated meetings
    (4, 4, 4, 3): """
        ABCF EHIN DGMO JKL
        AGHL CIKO BJMN DEF
        CDHJ BEGK FLNO AIM
        AEJO FHKM BDIL CGN
        CELM FGIJ ADKN BHO
    """,
    # 15 people: 50 repeated meetings
    (5, 5, 5): """
        ACDHK BEIJL FGMNO
        ADEJN BCHMO FGIKL
        CGHJL AEFIO BDKMN
        BCDFI AHLMN EGJKO
        EHIKM ABCGN DFJLO
    """,
    # 16 people: 0 repeated meetings
    (4, 4, 4, 4): """
        CFMO AEGH JKLN BDIP
        BFHK AINO GJMP CDEL
        BEJO DHMN FGIL ACKP
        ADFJ BCGN HLOP EIKM
        ABLM DGKO CHIJ EFNP
    """,
    # 17 people: 4 repeated meetings
    (5, 4, 4, 4): """
        CDFHM BKNP AGIJ ELOQ
        EFGKM BHJL ADNO CIPQ
        ABFMQ DGLP HIKO CEJN
        FJMOP ACKL GHNQ BDEI
        FILMN DJKQ BCGO AEHP
    """,
    # 18 people: 11 repeated meetings, found by a longer search
    (5, 5, 4, 4): """
        BFHIR CDELP GJKQ AMNO
        CJMPR ABDHK EGIO FLNQ
        BHJLO ACIPQ DFGM EKNR
        CFKOP BEHMQ AGLR DIJN
        DOPQR BCGHN IKLM AEFJ
    """,
    # 19 people: 23 repeated meetings
    (5, 5, 5, 4): """
        BKLNR EFGMO DHJPQ ACIS
        CFLNP ABDEQ GJKMS HIOR
        EIJLN ADKOP BFHMS CGQR
        BDGIP LNOQS CEHKM AFJR
        FIKMQ BCJLO ADGHN EPRS
    """,
    # 20 people: 36 repeated meetings
    (5, 5, 5, 5): """
        CFJOR LNPQT DHIMS ABEGK
        BKLRS CEMOQ FGHPT ADIJN
        CHKNT ABFQS GILMO DEJPR
        HIKQR ENOPS CDFGL ABJMT
        ABCIP DKOQT EHJLS FGMNR
    """,
}
