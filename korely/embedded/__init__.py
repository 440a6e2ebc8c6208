"""PostgreSQL, Valkey, web, worker and beat as one supervised group, from pip packages alone.

``python -m korely.embedded`` starts all of it, ``python -m korely.embedded services`` only the
database and the broker. The group runs on Linux; elsewhere, and for more than one machine, point
the settings at servers of your own (docs/architecture.md).
"""
