"""Trees, rocks, crystals and mushrooms."""
