"""Players, solvers and searches of the chase; they choose actions and never apply one."""
