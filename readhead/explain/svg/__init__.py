"""The pictures of a reading, as SVG: one drawer a picture. The only place where anything is drawn."""
