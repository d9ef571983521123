"""Players, solvers and searches of the deep; they choose actions and never apply one."""
