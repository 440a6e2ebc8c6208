"""Texts with marked facts, and what makes the tagger's model out of them.

`data/` holds the texts, one JSON object a line, in the format of `manage.py score_facts` with the
places of the words beside each fact. Texts are written in the notation of `marked` and converted
by `python -m facts.extraction.training.convert`. Only `fit` needs PyTorch.
"""
