"""What the warm worker for pytest is made of. Its name is one that no tested program has: they share a process."""
