"""The ONNX tagger: it marks which words are the object of which predicate, whose, and when."""
