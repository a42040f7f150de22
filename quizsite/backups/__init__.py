"""Everything that cannot be made again, in a folder: the database, and in embedded mode the secret key."""
