"""What drills are made of: a system to disturb, the commands of a chapter, and how a fault is detected."""
