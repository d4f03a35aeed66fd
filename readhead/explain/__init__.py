"""Attention to pictures. Takes tokens and arrays, knows no model."""
