#!/usr/bin/env python3
"""Changes a manifest of attn-compile and makes its checksums right again.

  seal-manifest.py MANIFEST LIBRARY [MEMBER=JSON...]

Without a value (MEMBER=) the member is dropped; library.MEMBER is one of the
object 'library'. What only a forged manifest shows can so be tested.
"""

import json
import pathlib
import sys
import zlib


def checksum(contents):
    return f"{zlib.crc32(contents):08x}"


def main():
    path, library = map(pathlib.Path, sys.argv[1:3])
    manifest = json.loads(path.read_text())
    contents = library.read_bytes()
    manifest["library"] = {"bytes": len(contents), "checksum": checksum(contents)}
    for change in sys.argv[3:]:
        member, value = change.split("=", 1)
        target = manifest
        if member.startswith("library."):
            target = manifest["library"]
            member = member.removeprefix("library.")
        target.pop(member, None)
        if value:
            target[member] = json.loads(value)
    manifest.pop("checksum", None)
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    manifest["checksum"] = checksum(text.encode())
    path.write_text(json.dumps(manifest))


if __name__ == "__main__":
    main()
