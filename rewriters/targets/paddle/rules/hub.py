"""torch: models from the hub."""

import hashlib
import os
import shutil
import tempfile
import urllib.request

import torch

from rewriters.rule import rule


@rule(torch.hub.download_url_to_file)
def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    dst = os.path.expanduser(dst)
    digest = hashlib.sha256()
    with urllib.request.urlopen(url) as answer, tempfile.NamedTemporaryFile(delete=False) as part:
        while block := answer.read(1 << 20):
            part.write(block)
            digest.update(block)
    if hash_prefix is not None and not digest.hexdigest().startswith(hash_prefix):
        os.remove(part.name)
        raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{digest.hexdigest()}")')
    shutil.move(part.name, dst)
