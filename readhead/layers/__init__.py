"""The bricks: nn.Modules, one idea a file. No text, no task."""
