"""Rules and connector options in words, for a terminal and for the printed pages. One source, two layouts."""
