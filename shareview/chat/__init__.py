"""What a chat holds: session, threads, messages, quotes, turns. Plain frozen values; no format, no database."""
