"""Error migration: which kinds of failure turn into which, how often a repair brings a new one, and what causes it.

The parts are imported by name (`mindatlas.evals.migrations.tally`): the command line loads this package at once.
"""
