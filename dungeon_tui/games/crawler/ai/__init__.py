"""Players, solvers and searches of the crawler; they choose actions and never apply one."""
