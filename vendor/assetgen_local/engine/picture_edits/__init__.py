"""Pictures changed by arithmetic: restyled, posed, placed on a canvas."""
