#!/usr/bin/env python3
"""Runs a command that may not use more memory than given.

  run-limited.py MEBIBYTES COMMAND...

Fails where the command fails or where its peak of resident memory was higher.
"""

import resource
import subprocess
import sys

limit = int(sys.argv[1])
code = subprocess.call(sys.argv[2:])
# In kibibytes on Linux.
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(f"peak {peak} MiB, limit {limit} MiB")
sys.exit(code or peak > limit)
