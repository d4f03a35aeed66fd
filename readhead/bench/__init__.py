"""How fast the parts are: each timed side by side with what it is measured against, in one run.

`ops` times the operations, `training` and `inference` whole readers. `timing` holds the stop-watch, and
`products` finds a step's matrix products and replays them.
"""
