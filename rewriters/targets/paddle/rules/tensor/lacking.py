"""What Paddle lacks, where a handler takes its error for one of torch's."""

import sys

from rewriters.rule import differs, rule

LACKING = ("is not registered", "Unimplemented", "promotion only support", "The data type of", "Not support")


@rule("torch.Tensor:refused")
def refused(*classes):
    """The classes of errors that a handler takes; where Paddle lacks what torch may have, that is said."""
    error = sys.exc_info()[1]
    if any(words in str(error) for words in LACKING):
        differs("Paddle lacks what is tried here, and torch may not: what is done instead is not what torch does")
    return classes
