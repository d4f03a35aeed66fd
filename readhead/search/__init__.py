"""`readhead train --search N`: the defaults and N - 1 other settings, a run each; the best one is the result.

`space` says what can be set, `proposals` what to try next, `history` what was tried, `search` does it.
"""
