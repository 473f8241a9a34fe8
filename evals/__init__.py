"""The bench: regression, paired experiments and what grows the evaluation set."""
