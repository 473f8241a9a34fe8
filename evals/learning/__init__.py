"""What grows the evaluation set: feedback, drafts of cases, their review, and merging them."""
