"""What OneFlow lacks, where a handler takes its error for one of torch's."""

import sys

from rewriters.rule import differs, rule

LACKING = ("op_kernel_not_found_error", "unimplemented_error", "Unimplemented")


@rule("torch.Tensor:refused")
def refused(*classes):
    """The classes of errors that a handler takes; where OneFlow lacks what torch may have, that is said."""
    error = sys.exc_info()[1]
    if any(words in str(error) for words in LACKING):
        differs("OneFlow lacks what is tried here, and torch may not: what is done instead is not what torch does")
    return classes
