"""Motion presets: poses computed for the roles of a skeleton, feet on the floor, written as actions and as a video."""
