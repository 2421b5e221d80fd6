"""What leaves the engine: answers with their files, previews, views and films."""
