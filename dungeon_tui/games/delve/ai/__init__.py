"""Players, solvers and searches of the delve; they choose actions and never apply one."""
