"""`python -m readhead` is `readhead`."""

from readhead.cli.main import main

main()
