"""Many hands: files cut into chunks, checked by many processes or machines, updated."""
