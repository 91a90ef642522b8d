"""A parity report for its readers: a table for the terminal, JSON, JUnit XML, and a page."""
