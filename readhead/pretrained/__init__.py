"""Trained runs in Python: opened by name, asked, explained, kept and shared. `readhead.load` and `readhead.Reader`."""
