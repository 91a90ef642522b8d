"""What of a library some code reaches, and the library without the rest.

A package's modules are taken apart into units (``units``: a function, a method, an item of an import, an assignment).
From roots, names are followed from unit to unit as Python would look them up (``following``); ``reduce`` takes out of
each module what was not reached, and ``renaming`` has imports say another package's name.

Followed are names, not values: a method counts as reached when its class is and its name is said anywhere in what is
reached, as an attribute or as a text. So what is left out can only be missed by a name that is made up at run time, and
then fails by its name (AttributeError, ImportError).
"""
