"""The local engine: the service's API on 127.0.0.1, with classical geometry behind it instead of AI."""
