"""Documents to texts that are searched: formats, their readers, and cutting. Pure, without Django.

`python -m memories.knowledge` reads one document in a process of its own (`reading.py`).
"""
