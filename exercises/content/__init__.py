"""Reads the folder format into validated values, and renders Markdown. No database; nothing is run."""
