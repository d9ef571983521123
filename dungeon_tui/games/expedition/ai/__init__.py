"""Players, solvers and searches of the expedition; they choose actions and never apply one."""
