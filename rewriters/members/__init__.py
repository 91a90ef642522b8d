"""What becomes of the members of a class derived from torch's: its methods' names, and what its attributes hold."""

from rewriters.members.roles import Members, Role, members_of

__all__ = ["Members", "Role", "members_of"]
