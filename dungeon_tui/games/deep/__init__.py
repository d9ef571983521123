"""Find a way out of the deep: levels joined by doors, with monsters that each have a habit of their own.

You go up, down, left or right, stay, or use an item; each is one turn. Treasure opens doors: some ask that you carry
it, some that you pay, some want a key. A level is found again as you left it. Hunters come when they see you along a
row or a column; patrols walk to and fro; others run, track, or sleep until you come near. What a monster steps on is
destroyed, and you are dead where it reaches you, unless you carry a shield. A sword kills the next monster that you
walk into. Bombs break pillars. The amulet doubles the level. Some levels shrink: their rim falls away, ring by ring.
"""
