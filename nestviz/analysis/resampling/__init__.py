"""How far sets, ranks and branches change when the data are drawn again."""
