"""What is known of a file does not change while it is rewritten, and where the rewriter is, is restored by itself."""

from pathlib import PurePosixPath

import pytest

from rewriters.files import Files
from rewriters.places import Places
from rewriters.places.layers import LayersInPlace
from rewriters.rewrite.class_uses import travel
from rewriters.rewrite.draft import Draft
from rewriters.rewrite.helper_module import HelperModule
from rewriters.rewrite.known import Context, Known, Shared
from rewriters.rules.rulebook import load_rulebook
from rewriters.target import load_target

PATH = PurePosixPath("a.py")


@pytest.fixture
def draft() -> Draft:
    target = load_target("paddle")
    book = load_rulebook(target.folder, ())
    files = Files.read({PATH: b"import torch\n\nx = torch.ones(2)\n"}, "")
    project = files.inferred()
    places = Places(frozenset(), project.modules.values())
    travels = travel(project.modules.values(), ())
    shared = Shared(target, book, frozenset(), travels, places, LayersInPlace(project, places))
    known = Known(files.sources[PATH], files.modules[PATH], shared, {}, frozenset(), "helpers", "import helpers")
    return Draft(known, HelperModule(target, book))


def test_a_context_lasts_as_long_as_its_block(draft: Draft) -> None:
    with draft.within(in_bases=True):
        with draft.within(quotes=frozenset("'")):
            assert draft.here == Context(in_bases=True, quotes=frozenset("'"))
        assert draft.here == Context(in_bases=True)
    assert draft.here == Context()


def test_a_context_ends_where_its_block_fails(draft: Draft) -> None:
    with pytest.raises(KeyError), draft.within(in_class_test=True):
        raise KeyError
    assert draft.here == Context()


def test_what_is_known_cannot_be_set(draft: Draft) -> None:
    for held, name in ((draft.known, "keys"), (draft.known.shared, "variants"), (draft.here, "statement")):
        with pytest.raises(AttributeError):
            setattr(held, name, None)
