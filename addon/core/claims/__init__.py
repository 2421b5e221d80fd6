"""Who works off which row of a batch, among computers that share nothing but the folder of its results."""
