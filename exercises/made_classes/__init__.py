"""Classes that are made up, to measure pages and to look at them: a course, its people, and months of their work."""

from exercises.made_classes.making import make_class, plan_for

__all__ = ["make_class", "plan_for"]
