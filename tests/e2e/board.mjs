// The task board, in the real window.
