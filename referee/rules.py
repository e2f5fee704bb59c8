"""The rules of the play that are not settled, as the named options of a frozen value."""

from dataclasses import dataclass

from scoring.values import FFT, ScoringRules


@dataclass(frozen=True, slots=True)
class PlayRules:
    """The answers to the questions that FFT 2012 leaves open, and the figures of the score.

    - `lost_excuse_is_paid`: the Excuse in the last trick goes to the other side. If its own side wins that trick, this
      side gets a half-point card for it. With four players this option always holds, because otherwise their points
      would have halves.
    - `defence_excuse_wins`: if the defence has won every trick before, its Excuse wins the last trick. The attack's
      Excuse always does so.
    - `ecart_in_poignee`: trumps that the taker had to discard may be shown again in a poignée. FFT 2012 allows it for a
      taker who has four Rois and fifteen trumps.
    - `call_own_rank`: a taker with all four Rois may still call one of them, instead of a Dame.
    - `partner_announces_chelem`: the taker's partner may announce the chelem too.
    - `claims`: a record may end with a claim, which names the side that has the rest of the tricks.
    """

    lost_excuse_is_paid: bool = True
    defence_excuse_wins: bool = True
    ecart_in_poignee: bool = True
    call_own_rank: bool = False
    partner_announces_chelem: bool = False
    claims: bool = True
    scoring: ScoringRules = FFT


STANDARD = PlayRules()
