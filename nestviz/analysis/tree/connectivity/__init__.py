"""How points are connected: neighbour graphs, routes, and the sweep that finds components."""
