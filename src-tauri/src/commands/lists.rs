//! The task lists of agents' threads: the board.
