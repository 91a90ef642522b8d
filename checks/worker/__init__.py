"""What runs in a framework's interpreter: Python 3.8 and numpy alone, and nothing else of ours.

``start.py`` is the script that such an interpreter is given. A framework is known to the runtime file that a job names
(``runtime.py`` says what it gives), and to the project. What both sides of the pipe must agree on is here too:
descriptions of results, arrays on disk, entries, specs of tensors.
"""
