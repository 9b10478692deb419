"""Reading what a chat exported. One reader a format; each gives the chat model, or says what is wrong and where."""
