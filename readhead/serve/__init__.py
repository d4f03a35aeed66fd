"""HTTP over runs: an API, and a page to play with.

A request goes through `door` (request id, key, counting), `app` (which route), `envelope` (what was asked of which
run), `served` (one run) and `batcher` (what waits is read together, one thread a run). JSON comes back, or events.
"""
