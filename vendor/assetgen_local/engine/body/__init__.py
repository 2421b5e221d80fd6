"""What a model is as a body: its volume in voxels, distances inside it, its limbs, and where its joints are."""
