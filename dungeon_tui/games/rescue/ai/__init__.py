"""Players, solvers and searches of the rescue; they choose actions and never apply one."""
