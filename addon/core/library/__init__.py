"""Results as assets of Blender: what they are filed under, and their files in a library folder."""
