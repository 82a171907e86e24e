"""The rulebooks, one data file each; see README.md here for what they are and when to choose which."""
