#!/usr/bin/env python
"""Command line of the product: see README.md for the commands that matter."""

import os
import sys

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizsite.settings")
    execute_from_command_line(sys.argv)
