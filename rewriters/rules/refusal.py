"""Why a rule is not inlined: its helper is called instead."""

from __future__ import annotations

from rewriters.report import Word


class Obstacle(Word):
    """What stands in the way of inlining; ``--explain`` shows it."""

    STAR_ARGUMENTS = "StarArguments"
    EXTRA_KEYWORDS = "ExtraKeywords"
    UNDECIDED_OVERLOAD = "UndecidedOverload"
    RANK_AT_TIMES = "RankAtTimes"
    UNDECIDED_BRANCH = "UndecidedBranch"
    NOT_A_TENSOR_FOR_SURE = "NotATensorForSure"
    NO_MATCH = "NoMatch"
    STATEMENTS = "Statements"
    LATE_BINDING = "LateBinding"
    USES_DEFINITION = "UsesDefinition"
    F_STRING = "FString"
    DROPPED_EFFECT = "DroppedEffect"
    DUPLICATED_EFFECT = "DuplicatedEffect"
    DUPLICATED_WORK = "DuplicatedWork"
    REPEATED_TEXT = "RepeatedText"
    CONDITIONAL_EFFECT = "ConditionalEffect"
    REORDERED = "Reordered"


class Refusal(Exception):
    """Why a rule was not inlined."""

    def __init__(self, obstacle: Obstacle, detail: str = "") -> None:
        super().__init__(f"{obstacle}: {detail}" if detail else str(obstacle))
        self.obstacle = obstacle


class NoMatch(Exception):
    """The call does not fit any overload of the rule."""
