"""Paired experiments: protocol first, then runs, then a verdict only where every planned result is there."""
