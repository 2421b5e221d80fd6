"""Model files in and out of the scene, and what they carry: textures and animations."""
