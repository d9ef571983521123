"""The deep: campaigns, states, rules. Pure."""
