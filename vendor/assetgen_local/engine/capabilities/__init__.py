"""One file for each capability, named as the API names it, whose ``run(task)`` does the work."""
