"""Where Blender looks up our own words that it translates otherwise: "Credits" are no list of contributors."""

CONTEXT = "Asset Generation"
