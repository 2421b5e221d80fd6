"""What a surface looks like: from words or pictures, read from a model, baked to maps."""
