"""The book's theme: MyST's pages in, a finished static site out.

MyST reads the chapters, resolves every reference and serves the result as
JSON; ``render.py`` turns that into HTML with one small function for each
kind of node. Nothing in here imports PyTorch.
"""
