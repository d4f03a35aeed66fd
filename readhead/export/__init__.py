"""A run in forms that others read: an ONNX model with all that it takes to ask it; a run of fewer bytes."""
