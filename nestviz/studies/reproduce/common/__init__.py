"""What several sources need: splits of the benchmark sets, packed tables, averages."""
