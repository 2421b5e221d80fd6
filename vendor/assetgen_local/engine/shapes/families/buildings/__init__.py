"""Houses and towers."""
