"""What a background Blender does for the command: reading results, measuring and drawing them, and the sheet."""
