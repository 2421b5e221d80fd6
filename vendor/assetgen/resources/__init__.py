"""The groups of endpoints, one module each. The client makes them when they are first used."""
