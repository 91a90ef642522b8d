"""``migrate convert``: walking a project, converting it, writing the output."""
