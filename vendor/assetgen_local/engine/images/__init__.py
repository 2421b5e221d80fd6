"""Pictures as arrays and as files, and what is done to them without a scene."""
