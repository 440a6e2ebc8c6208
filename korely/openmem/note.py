"""What a model is told of the memories beside its question, when preferences are among them."""

PREFERENCE_NOTE = """# Note

Memory comes in two kinds.

- **Facts** say what happened, what holds, and what was said. Use those that bear on the question.
- **Preferences** say how this user wants things. An *explicit* one was stated by the user in so
  many words; an *implicit* one is a guess from what the user did several times.

How to use them:

1. Let preferences decide the style of the answer: its tone, length, format, and what to suggest or
   leave out. An explicit preference weighs more than an implicit one.
2. What the user asks for now wins over every fact and every preference.
3. Do not mention these memories unless the user asks about them.
"""
