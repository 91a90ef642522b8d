"""torch: what was built in."""

import framework

from rewriters.rule import rule


@rule("torch.__config__.show")
def show():
    # torch tells of its libraries, by lines
    return f"{framework.__name__} {framework.__version__}"
