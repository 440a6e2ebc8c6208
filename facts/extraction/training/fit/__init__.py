"""Training of the tagger with PyTorch (`make train`); no other part of the project imports this."""
