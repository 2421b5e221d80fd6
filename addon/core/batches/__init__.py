"""Batches: a table of rows, worked off by one program or by many on different computers, each row paid for once."""
