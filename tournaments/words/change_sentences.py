"""The sentences for the changes from one published version to the next, by their codes in `publication.differences`."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.words.sentences import Family

OF_ETUIS: Mapping[str, str | Promise] = {
    "came": _("Étui %(etui)s, table %(table)s: %(after)s, which was missing"),
    "came_many": ngettext_lazy(
        "%(count)s missing result has come in", "%(count)s missing results have come in", "count"
    ),
    "score": _("Étui %(etui)s, table %(table)s: %(before)s became %(after)s"),
    "facts": _("Étui %(etui)s, table %(table)s: the details are corrected, the score is still %(after)s"),
    "counts": _("Étui %(etui)s, table %(table)s: “%(state)s” became %(after)s"),
    "counts_not": _("Étui %(etui)s, table %(table)s: %(before)s became “%(state)s”"),
    "state": _("Étui %(etui)s, table %(table)s: now “%(state)s”"),
    "marks_came": _("Étui %(etui)s, table %(table)s: the marks, which were missing"),
    "marks_corrected": _("Étui %(etui)s, table %(table)s: the marks are corrected"),
    "seats": _("Étui %(etui)s, table %(table)s: the players are corrected"),
    "attacker": _("Étui %(etui)s, table %(table)s: the player who attacked is corrected"),
    "place": _("Étui %(etui)s, table %(table)s: the position or the table is corrected"),
    "fixed": _("Étui %(etui)s, table %(table)s, %(line)s: the arbiter fixes the note at %(note)s"),
    "fixed_moves": _(
        "Étui %(etui)s, table %(table)s, %(line)s: the note is the better of the arbiter’s and the player’s mean, now"
        " %(note)s"
    ),
    "compared": _("Étui %(etui)s, table %(table)s: the score is compared with the others again"),
    "not_compared": _("Étui %(etui)s, table %(table)s: the score is no longer compared with the others"),
    "fixed_not": _("Étui %(etui)s, table %(table)s, %(line)s: the note is no longer fixed"),
    "play_came": _("Étui %(etui)s, table %(table)s: added to the plan"),
    "play_gone": _("Étui %(etui)s, table %(table)s: no longer in the plan"),
    "etui_came": _("Étui %(etui)s: added to the plan"),
    "etui_gone": _("Étui %(etui)s: no longer in the plan"),
    "etui_annulled": _("Étui %(etui)s: annulled for everybody"),
    "etui_counts": _("Étui %(etui)s: counts again"),
    "etui_split": _("Étui %(etui)s: altered, its plays before and after are compared separately"),
    "etui_whole": _("Étui %(etui)s: its plays are compared with one another again"),
    "etui_seats": _("Étui %(etui)s: the taker or the dealer is corrected"),
}
# Where the tables deal, a change belongs to a deal of a game, not to an étui.
OF_DEALS: Mapping[str, str | Promise] = {
    "deal_came": _("Game %(game)s, deal %(deal)s, table %(table)s: %(after)s, which was missing"),
    "deal_score": _("Game %(game)s, deal %(deal)s, table %(table)s: %(before)s became %(after)s"),
    "deal_facts": _(
        "Game %(game)s, deal %(deal)s, table %(table)s: the details are corrected, the score is still %(after)s"
    ),
    "deal_counts": _("Game %(game)s, deal %(deal)s, table %(table)s: “%(state)s” became %(after)s"),
    "deal_counts_not": _("Game %(game)s, deal %(deal)s, table %(table)s: %(before)s became “%(state)s”"),
    "deal_state": _("Game %(game)s, deal %(deal)s, table %(table)s: now “%(state)s”"),
    "deal_marks_came": _("Game %(game)s, deal %(deal)s, table %(table)s: the marks, which were missing"),
    "deal_marks_corrected": _("Game %(game)s, deal %(deal)s, table %(table)s: the marks are corrected"),
    "deal_seats": _("Game %(game)s, deal %(deal)s, table %(table)s: the players are corrected"),
    "deal_place": _("Game %(game)s, deal %(deal)s, table %(table)s: the game or the table is corrected"),
    "deal_play_came": _("Game %(game)s, deal %(deal)s, table %(table)s: added to the plan"),
    "deal_play_gone": _("Game %(game)s, deal %(deal)s, table %(table)s: no longer in the plan"),
    "deal_etui_came": _("Game %(game)s, deal %(deal)s: added to the plan"),
    "deal_etui_gone": _("Game %(game)s, deal %(deal)s: no longer in the plan"),
    "deal_etui_annulled": _("Game %(game)s, deal %(deal)s: annulled at every table"),
    "deal_etui_counts": _("Game %(game)s, deal %(deal)s: counts again at every table"),
}
OF_CARDS: Mapping[str, str | Promise] = {
    "cards_came": ngettext_lazy(
        "The cards of %(count)s étui have been added", "The cards of %(count)s étuis have been added", "count"
    ),
    "cards_gone": ngettext_lazy(
        "The cards of %(count)s étui are no longer shown", "The cards of %(count)s étuis are no longer shown", "count"
    ),
}
OF_RANKING: Mapping[str, str | Promise] = {
    "penalty": _("%(player)s: penalties and bonuses total %(after)s points (before: %(before)s)"),
    "penalty_marks": _("%(player)s: penalties and bonuses total %(after)s marks (before: %(before)s)"),
    "marks": ngettext_lazy("The marks of %(count)s player change", "The marks of %(count)s players change", "count"),
    "ranked": _("%(player)s: now ranked"),
    "ranked_not": _("%(player)s: no longer ranked"),
    "percentages": ngettext_lazy(
        "The percentages of %(count)s player change", "The percentages of %(count)s players change", "count"
    ),
    "ranks": ngettext_lazy("%(count)s player changes rank", "%(count)s players change rank", "count"),
}
OF_ALL: Mapping[str, str | Promise] = {
    "evening": _("The date or the plan of the session is corrected"),
    "player_came": _("%(player)s: now in the session"),
    "player_gone": _("%(player)s: no longer in the session"),
    "stand_in": _("%(player)s: the stand-in is corrected"),
    "members": _("%(player)s: the players of the team are corrected"),
    "seat": _("%(player)s: the seat is corrected"),
    "details": _("Details of the figures"),
}
OF_SERIES: Mapping[str, str | Promise] = {
    "series_rules": _("The rules of the championship have changed"),
    "series_events": _("Other events count, or with another coefficient"),
}
OF_FIELDS: Mapping[str, str | Promise] = {
    "field_clubs_came": ngettext_lazy("%(count)s more club counts", "%(count)s more clubs count", "count"),
    "field_clubs_gone": ngettext_lazy("%(count)s club no longer counts", "%(count)s clubs no longer count", "count"),
    "field_etuis": _("Étuis are annulled or altered for all clubs, or count again"),
}
OF_TOURNAMENTS: Mapping[str, str | Promise] = {
    "counting": _("The way the sessions make one ranking has changed"),
    "session_came": _("Session %(session)s now counts"),
    "session_gone": _("Session %(session)s no longer counts"),
    "session_weight": _("Session %(session)s: its coefficient or its stage has changed"),
}
CHANGES = Family(
    {**OF_ETUIS, **OF_DEALS, **OF_CARDS, **OF_RANKING, **OF_ALL, **OF_TOURNAMENTS, **OF_SERIES, **OF_FIELDS},
    {"state": "state", "line": "line"},
)
