"""Knowledge bases and their files, as the dialect calls them."""
