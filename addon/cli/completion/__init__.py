"""What shells offer when Tab is pressed: read from the parser, written for bash, zsh and fish."""
