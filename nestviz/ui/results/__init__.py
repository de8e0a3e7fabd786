"""Keep results: the cache, the fits in it, and the jobs that make them."""
