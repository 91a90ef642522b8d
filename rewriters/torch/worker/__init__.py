"""What runs in torch's interpreter: its runtime for checks, descriptions of models, causes of differences."""
