"""A mail as clubs get them is read line by line: the words of columns change nothing in it."""

from clubs.matching import KnownPlayer, read_list

CLUB = [
    KnownPlayer(1, "Dupont", "Marie", "123456"),
    KnownPlayer(2, "Le Goff", "Jean-Pierre"),
    KnownPlayer(4, "Martin", "Paul"),
]
MAIL = """\
De : Monique <monique.petit@example.org>
Objet : inscriptions du tournoi de samedi

Bonjour Jean,

Voici la liste pour samedi :

1. DUPONT Marie
2. Jean-Pierre Le Goff (arrive à 20 h 15)
3) Mme Anne Blanc 06 12 34 56 78
- Paul et Marie MARTIN
- Durand Zoé + son mari
* Étienne Zoé, 4e série
GARNIER Luc; 55555
Luc Garnier
Petit, Anaïs, licence 123456
Noël BRUN <noel.brun@example.org>
Mlle Chloé Roux tél. 0612345678
KEÏTA Awa n° 44321
Robert Jean
Jean Robert
Lefèvre Gaël, Moreau Zoé, Perrin Luc
M. et Mme Blanchard
Thérèse (dir.)
Ben Ali Karim *
Van den Berg Jan
"Lulu" Petit
Ève 🃏 Denis
président : Albert Camus
Club: TC Lyon; Noir Al; Dame: oui
Absents : Paul Petit
12 joueurs en tout

J'ai invité aussi mon frère
Nous viendrons à 6.
Le tél de Marc : 06 11 22 33 44
Meyer	Ida	98765
Dufour / Arnaud
Merci de confirmer !

Cordialement,
Monique Petit
--
Envoyé de mon iPhone
"""
READ = """\
1 stray De : | Monique
2 stray : inscriptions du tournoi de samedi | Objet
4 stray Jean | Bonjour
6 no_name
8 sure DUPONT | Marie
9 sure Le Goff | Jean-Pierre
10 new Blanc | Anne
11 couple MARTIN | Paul
11 couple MARTIN | Marie
12 couple Durand | Zoé
12 couple Durand | M.
13 note Zoé | Étienne
14 new GARNIER | Luc 55555
15 same Garnier | Luc
16 probable Petit | Anaïs 123456
17 new BRUN | Noël
18 note Roux | Chloé
19 new KEÏTA | Awa 44321
20 new Jean | Robert
21 same Robert | Jean
22 new Gaël | Lefèvre
22 new Zoé | Moreau
22 new Luc | Perrin
23 couple Blanchard | M.
23 couple Blanchard | Mme
24 new Thérèse |
25 note Ali Karim | Ben
26 new Van den Berg | Jan
27 new Petit | Lulu"
28 new Denis | Ève
29 note Albert Camus | :
30 no_name
30 new Al | Noir
30 no_name
31 stray : Paul Petit | Absents
32 new en tout | joueurs
34 note aussi mon frère | J'ai
35 stray viendrons à 6 | Nous
36 new Le tél | de Marc :
37 new Meyer | Ida 98765
38 new / Arnaud | Dufour
39 stray de confirmer | Merci
41 stray Cordialement |
42 signature Petit | Monique
43 no_name
44 stray de mon iPhone | Envoyé
"""


def test_messy_mail_is_read_line_by_line():
    told = []
    for row in read_list(MAIL, CLUB):
        line = row.line
        who = (line.last_name, "|", line.first_name, line.licence) if line else ()
        told.append(" ".join(filter(None, (str(row.number), row.doubt or row.state, *who))))
    assert told == READ.splitlines()
