"""A file's text and syntax tree: read, walked, edited, printed with the brackets it needs. Imports nothing of ours."""
