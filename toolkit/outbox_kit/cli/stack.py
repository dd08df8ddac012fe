"""`stack`: the local stack."""
