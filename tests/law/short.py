"""The modules of fewer than 80 lines, and the small folders, each with its reason. Both lists only get shorter."""

# The reason, and the modules that stay short for it, in the order of the packages.
SHORT_MODULES = {
    "Django or a server looks for it by this name": """
        config.formats.en.formats config.formats.fr.formats config.wsgi
    """,
    "a process loads it alone, and nothing else of its subject": """
        clubs.file_locks config.beat operations.figures.counters rooms.thinker_child
    """,
    "it is read before Django starts": """
        config.queues operations.laptop operations.stack
    """,
    "migrations or stored texts name it": """
        clubs.models.shown_names clubs.origins
    """,
    "people download it as a file of its own": """
        deals.static.deals.topage_deals deals.static.deals.topage_profiles
    """,
    "what it would join is below it: models import that": """
        deals.domain.etui deals.rekeying
    """,
    "every examination imports it, or it imports every one": """
        operations.doctor.examining operations.doctor.findings
    """,
    "several packages use it, and no module beside it has its subject": """
        tournaments.codes tournaments.numbers tournaments.words.stamps
        wording.figures
    """,
    "the parts of a bot's thought are measured and mutated one by one": """
        bots.bidding bots.choosing bots.levels bots.moves bots.policy.deciding bots.policy.rules bots.policy.signals
        bots.sampling.imagining bots.sampling.scores bots.sampling.weights bots.secrets bots.suits
    """,
    "the refusals of one subject, which its services and its pages import": """
        evenings.plans.free.refusals
    """,
    "one question about a plan, which several services ask": """
        evenings.plans.by_format evenings.plans.free.closing evenings.plans.free.settings evenings.plans.own_places
        evenings.plans.sections evenings.plans.teams.quarters movements.games.search_fields
    """,
    "one question about plays or tables, which several services ask": """
        evenings.plays.attackers evenings.plays.rulings_given evenings.reference
    """,
    "one question about the members of teams": """
        evenings.teams.partners
    """,
    "one document": """
        outgoing.paper.cash_sheet
    """,
    "one page, or the views of one thing": """
        pages.accounts.log_in pages.club.finding pages.club.put_away
        pages.files.archives pages.personal.data pages.prepare.sections
        pages.preview pages.public.game.pages pages.public.handbook.pages pages.public.searching
        pages.registration.replaced pages.statistics.session pages.table.screen
    """,
    "what pages of several folders share": """
        pages.acting pages.downloads pages.first_steps pages.letters pages.links pages.origins pages.parts.bots
        pages.parts.own_calendar pages.parts.results_form
        pages.pinned_rows
    """,
    "a part of the pages of its folder": """
        pages.accounts.adapter pages.desk.papers.teams
    """,
    "one kind of row of careers and ratings": """
        rankings.careers.seasons
    """,
    "one part of a room's game, which services and pages use": """
        rooms.classic.watching
    """,
    "a part of the pages of rooms": """
        rooms.web.classic.words rooms.web.names rooms.web.watch
    """,
}
# The folders of fewer than three modules and of fewer than 400 lines, with what lies in their folders.
SMALL_FOLDERS = {
    "config/database": "Django looks for `base` in the folder of a database",
    "config/formats": "Django looks for a folder of formats",
    "config/formats/en": "Django looks for a folder of each language",
    "config/formats/fr": "Django looks for a folder of each language",
    "pages/cash": "the pages of one subject, which have their own access",
    "pages/desk/papers": "the pages of one subject, which have their own access",
    "pages/elsewhere": "the pages of one subject, which have their own access",
    "pages/public/game": "the pages of one subject, which have their own access",
    "pages/statistics": "the pages of one subject, which have their own access",
    "pages/table": "the pages of one subject, which have their own access",
    "rooms/management": "Django looks for a folder of commands",
    "rooms/management/commands": "Django looks for a folder of commands",
    "wording": "the lowest package, which all others import",
}
