"""The lines that name several people: `Jean et Marie DUPONT`, `Paul Martin + sa femme`, `Dupont; Jean et Marie`."""

import re
from dataclasses import replace
from typing import NamedTuple

from clubs.names import simplify_name
from clubs.roster.lines import (
    LADY_TITLES,
    TITLES,
    NameOrder,
    RosterLine,
    find_licence,
    split_line,
    split_name,
    strip_name,
    take_labelled,
    told_order,
)

NAMES = """
    abel achille adele adeline adrien adrienne agathe agnes aime aimee alain alban albane albert alberte alex
    alexandra alexandre alexia alexis alfred alice alicia aline alix alma aloys alphonse amandine amaury ambre
    amedee amelie anais anatole andre andrea andree andrew ange angela angele angelina angelique anita ann
    anna annabelle anne annette annick annie anouk anselme anthony antoine antoinette antonin antonio apolline
    ariane aristide arlette armand armande armelle arnaud arsene arthur astrid aubin aude audrey auguste
    augustin aurelie aurelien aurore axel axelle aymeric baptiste barbara barnabe barthelemy basile bastien
    beatrice benedicte benjamin benoit berenice bernadette bernard berthe bertrand blaise blanche boris brahim
    brice brigitte bruno camille carine carla carmen carole caroline catherine cathy cecile cedric celestin
    celia celine cesar chantal charles charlotte chloe christelle christian christiane christine christophe
    claire clara clarisse claude claudette claudie claudine clement clementine clotilde clovis colette colin
    coline come constance constant constantin coralie corentin corinne cyprien cyril cyrille damien dan daniel
    daniele danielle danny david davy deborah delphine denis denise denys desire desiree diane didier dimitri
    dominique donatien dorothee edgar edith edmond edouard edwige eleonore eliane elie eliott elisa elisabeth
    elise ella elodie eloi eloise elsa emeline emeric emile emilie emilien emma emmanuel emmanuelle enzo eric
    erica ernest erwan esteban estelle esther etienne eugene eugenie eva evan evelyne fabien fabienne fabrice
    fanny fatima faustine felicie felicien felix ferdinand fernand fernande fiona firmin flavie flavien fleur
    florence florent florian france francesca francine francis franck francois francoise frank frederic
    frederique gabin gabriel gabrielle gael gaelle gaetan gaspard gaston gauthier gautier genevieve geoffroy
    george georges georgette gerald geraldine gerard germain germaine gerome ghislain ghislaine gilbert
    gilberte gille gilles gisele gladys godefroy gontran gregoire gregory guillaume gustave guy gwenael
    gwenaelle gwendoline hassan hector helene henri henriette henry herve hippolyte honore honorine hortense
    hubert hugo hugues huguette ibrahim ida ines ingrid irene iris isaac isabelle isidore ismael ivan jacky
    jacob jacqueline jacques jade james janine jasmine jean jeanne jeannette jeannine jeremie jeremy jerome
    jessica jimmy joachim joan jocelyne joel joelle joffrey johan johanna john jonas jonathan jordan joris
    jose josee joseline joseph josephine josette josiane josselin josue joy judith jules julia julian julie
    julien julienne juliette justin justine karim karine karl katia kevin khaled killian laetitia lambert lara
    laure laurence laurent laurette laurie laurine lea leandre leo leon leonard leonce leonie leopold lilian
    liliane lily lina linda line lionel lisa lise lisette loic lola loris lou louane louis louise loup luc
    luca lucas lucette lucie lucien lucienne lucile ludivine ludovic lydia lydie lyse madeleine mael maelle
    magali magalie maite malik malo manon manuel manuela marc marceau marcel marcelle margaux margot
    marguerite maria mariam marianne marie marielle marilyne marin marina marine mario marion marius marjorie
    marlene martha marthe martial martin martine martinien mary maryline maryse maryvonne mathias mathieu
    mathilde mathis mathurin matteo matthias matthieu maud maurice maurine max maxence maxime maximilien mehdi
    melanie melissa melodie mia michael michel michele micheline michelle mickael mireille mohamed mohammed
    moise monique morgan morgane muriel mylene myriam nabil nadege nadia nadine nans narcisse natacha nathalie
    nathan nestor nicolas nicole nina noah noam noe noel noelle noemie nora norah norbert octave odette odile
    odilon olga olivia olivier omar ondine oscar oswald pablo paola pascal pascale pascaline patrice patricia
    patrick paul paula paule paulette paulin pauline perrine peter philibert philippe philomene pierre
    pierrette pierrick placide prosper quentin rachel rachid raoul raphael raphaelle raymond raymonde regine
    regis reine remi remy renaud rene renee richard robert roberte robin roch rodolphe rodrigue roger roland
    rolande romain romane romeo romuald ronan rosa rosalie rose roseline roxane ruben sabine sabrina sacha
    salome salvador samia samir samuel sandra sandrine sara sarah sebastien segolene selma serge severin
    severine sidney sidonie simeon simon simone sofia solange solene sonia sophie stanislas stella stephane
    stephanie steve suzanne suzette suzon sven sybille sylvain sylvaine sylvestre sylvette sylviane sylvie
    tanguy tania tatiana teddy thadee thea theo theodore theophile therese thibaud thibault thibaut thierry
    thiphaine thomas timothe timothee titouan tom tony toussaint tristan ugo ulysse urbain ursule valentin
    valentine valere valerie valery vanessa vera veronique victoire victor victoria victorien vincent violaine
    violette virgile virginie viviane vivien wanda warren wilfrid wilfried william willy xavier yaelle yan
    yanis yann yannick yannis yasmine yoan yoann yohan yolande youri youssef yvan yves yvette yvon yvonne
    zacharie zelie zephyrin zoe zohra
"""
FIRST_NAMES = frozenset(NAMES.split())


MOST_PEOPLE, MOST_WORDS = 4, 5
AND = re.compile(
    r"(?<!\s)\s+(?:(?:et|and)\s+|avec\s+(?=(?:sa|son|ma|mon)\s))|(?:(?<!\s)\s+)?[&+]\s*(?=[^\W\d_])", re.IGNORECASE
)
WIFE = "femme|epouse|compagne|conjointe|wife"
HUSBAND = "mari|epoux|compagnon|conjoint|husband"
OTHERS = "ami|amie|fille|fils|frere|soeur|mere|pere|copain|copine|friend"
PARTNER = re.compile(rf"(?:(?:sa|son|ma|mon|un|une|his|her|my)\s+)?(?:({WIFE})|({HUSBAND})|(?:{OTHERS}))\b\s*")
NAMELESS = {"Mme", "M."}  # these stand for the first name of a person who is named only as somebody's partner


class Piece(NamedTuple):
    """The words of a line about one of its people.

    `title`: the title before the name, or the title of a partner: “sa femme” gives Mme. `by_title`: the title was
    written.
    """

    title: str
    words: list[str]
    by_title: bool = False

    @property
    def is_full(self) -> bool:
        return len(self.words) > 1 or (self.by_title and bool(self.words))


def split_couple(text: str, order: NameOrder) -> list[RosterLine]:
    """Return the people of a line that names several, or [] if it names only one.

    If the line has a licence, the last person gets it.
    """
    facts, cells, _unknown = take_labelled(split_line(text))
    licence, cells = find_licence(cells)
    cells = [cell.strip() for cell in cells if strip_name(cell) or AND.search(f"{cell} x")]
    cells = [cell for cell in cells if any(map(str.isalpha, cell))]
    if not cells or len(cells) > 2:
        return []
    family = ""
    if len(cells) == 2:
        family, names = (cells[1], cells[0]) if order == NameOrder.FIRST_NAME_FIRST else (cells[0], cells[1])
    else:
        names = cells[0]
    pieces = [read_piece(part) for part in AND.split(names) if part.strip()]
    pieces = [piece for piece in pieces if piece.words or piece.title]
    if not 1 < len(pieces) <= MOST_PEOPLE or any(len(piece.words) > MOST_WORDS for piece in pieces):
        return []
    facts.pop("ladies", None)
    people = [RosterLine(*read_person(place, pieces, family, order), **facts) for place in range(len(pieces))]
    return [*people[:-1], replace(people[-1], licence=licence)]


def read_piece(part: str) -> Piece:
    words = strip_marks(part).split()
    if words and words[0].casefold() in TITLES | {"m"}:
        return Piece("Mme" if words[0].casefold() in LADY_TITLES else "M.", words[1:], by_title=True)
    said = simplify_name(" ".join(words))
    if (match := PARTNER.match(said)) and match.end():
        taken = len(said[: match.end()].split())
        return Piece("Mme" if match[1] else "M." if match[2] else "", words[taken:])
    return Piece("", words)


def strip_marks(part: str) -> str:
    return part.strip(" \t\"“”«»'‘’!?.…_|/\\&+#~,;:-–—") + ("." if part.strip().casefold() == "m." else "")


def read_person(place: int, pieces: list[Piece], family: str, order: NameOrder) -> tuple[str, str]:
    """Return the family name and the first name of one of the people.

    A person without a family name gets that of another one in the line.
    """
    piece = pieces[place]
    if len(piece.words) > 1:
        return split_piece(piece.words, order)
    if not family:
        others = [other for other in [*pieces[place:], *reversed(pieces[:place])] if other.is_full]
        family = family_of(others[0], order) if others else ""
    if piece.by_title and piece.words:
        return piece.words[0], piece.title
    if not family and not piece.words:  # no family name is written: use the name of the other person
        return next((other.words[0] for other in pieces if other.words), piece.title), piece.title
    if not family:
        return piece.words[0], ""
    return family, piece.words[0] if piece.words else piece.title


def family_of(piece: Piece, order: NameOrder) -> str:
    return split_piece(piece.words, order)[0] if len(piece.words) > 1 else piece.words[0]


def split_piece(words: list[str], order: NameOrder) -> tuple[str, str]:
    """Return family name and first name. If nothing else shows their order, a frequent first name shows it."""
    name = " ".join(words)
    if order == NameOrder.SEEN and told_order(name) == NameOrder.SEEN:
        first, last = (simplify_name(word) in FIRST_NAMES for word in (words[0], words[-1]))
        order = NameOrder.FAMILY_FIRST if last and not first else order
    return split_name(name, order)
