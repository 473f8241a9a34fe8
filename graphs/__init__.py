"""The graphs, compiled and uncompiled, and the runner."""
