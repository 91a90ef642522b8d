"""A check, on our side: what it asks (inputs, candidates for entries), the process of a side, torch's noise floor, the
comparison, and the report's data model. May import ``checks.worker``, and nothing else of ours.
"""
