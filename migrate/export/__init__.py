"""``migrate export``: the checked model as what is deployed.

``axes.py`` reads which sizes are free, ``frameworks.py`` says who saves what, ``saving.py`` has a framework save its
model, ``making.py`` makes further formats of that, ``manifest.py`` is what an artefact says of itself, ``check.py``
compares it with torch.
"""
