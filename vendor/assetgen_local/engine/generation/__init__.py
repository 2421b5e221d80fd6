"""New models from pictures: a silhouette inflated, or several carved into one body."""
