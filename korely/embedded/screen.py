"""What a start ends with: one screen with everything needed for the first call."""

from collections.abc import Mapping
from pathlib import Path

from korely.embedded.options import Options


def welcome(
    options: Options, data_directory: Path, key: str | None, environment: Mapping[str, str]
) -> str:
    """The screen. `key` is the first key, given on the start that made it and never again."""
    address = options.public_url
    if key:
        key_line = f"{key}   shown this once: keep it"
    elif environment.get("KORELY_BOOTSTRAP_KEY"):
        key_line = "the one in KORELY_BOOTSTRAP_KEY"
    else:
        key_line = "made on the first start"
    shown = key or "$KORELY_API_KEY"
    python_key = f'"{key}"' if key else 'os.environ["KORELY_API_KEY"]'
    python_import = "" if key else "import os\n"
    return f"""
Korely is ready.

  address   {address}
  docs      {address}/v1/docs
  key       {key_line}
  data      {data_directory}   (logs in logs/, settings for manage.py in env)

Store a memory and search it:

curl {address}/v1/memories -H "Authorization: Bearer {shown}" \\
  -H "Content-Type: application/json" \\
  -d '{{"content": "Ines moved to Bergen in March.", "user_id": "ines"}}'
curl {address}/v1/memories/search -H "Authorization: Bearer {shown}" \\
  -H "Content-Type: application/json" \\
  -d '{{"query": "Where does Ines live?", "user_id": "ines"}}'

The same in Python (pip install korely-memory):

{python_import}from korely_memory import Korely
memory = Korely(api_key={python_key}, base_url="{address}")
memory.add("Ines moved to Bergen in March.", user_id="ines")
print(memory.search("Where does Ines live?", user_id="ines"))

Ctrl-C stops everything; the data is kept.
"""
