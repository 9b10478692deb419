"""Makes and judges claim-level citations with a model, and evaluates them; the answer is never touched."""
