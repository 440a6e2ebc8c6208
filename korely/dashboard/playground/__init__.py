"""The playground: the API's own calls, tried by hand."""
