"""A skeleton for a body: its bones under the names of a convention, the armature, and the weights of the vertices."""
