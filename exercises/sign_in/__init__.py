"""The ways in: passwords, a second factor, a university's sign-in, a proxy that vouches."""
