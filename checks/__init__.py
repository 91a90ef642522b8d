"""Proof of rules, and parity of whole models."""
