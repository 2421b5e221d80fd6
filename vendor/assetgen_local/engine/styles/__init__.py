"""Models rebuilt in a style: from blocks and bricks, as a lattice, and as small objects."""
