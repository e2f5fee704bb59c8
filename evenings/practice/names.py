"""The names of invented players: some with accents, some very long, two almost equal."""

PLAYERS = """
Aubert, Élise
Baptista, João
Bérenger, Maëlle
Chevalier, Noël
Da Silva, Inês
Delacroix, Anne-Sophie
Dupont, Marie
Dupont, Martin
Étienne, Zoé
Faure, Gérard
Garnier, Hélène
Haddad, Karim
Île-Dieu, Solène
Joubert, François
Kowalczyk, Łucja
de La Rochefoucauld-Montmorency, Marie-Françoise
Lefèvre, Côme
Martin, Agnès
Nguyễn, Minh
Ördek, Süleyman
Petit, Raphaël
Quéméneur, Gwenaëlle
Renard, Benoît
Šimić, Ana
Tessier, Joël
Vasseur, Thaïs
Weiß, Jürgen
Zimmermann, Léa
"""

GUESTS = """
Rakotomalala-Andriamanantenasoa, Hajanirina
Þórðardóttir-Grześkiewicz, Aðalbjörg
"""

LATE = "Żółkiewska-Désaulniers, Éléonore"
