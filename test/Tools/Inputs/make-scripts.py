"""Writes scripts for attn-reduce into a folder.

usage: make-scripts.py FOLDER
"""

import os
import sys

SCRIPTS = {
    # Want what their arguments say.
    "a test.sh": '#!/bin/sh\ntest "$1$2" != ab\n',
    "a}test.sh": '#!/bin/sh\ntest "$1$2" != ab\n',
    # Wants everything, and leaves a trace.
    "writes.sh": '#!/bin/sh\ntouch "$1"\nexit 1\n',
    # Talks.
    "talks.sh": "#!/bin/sh\necho talk\nexit 1\n",
    # Ends itself, at once and from the second call on.
    "kills.sh": "#!/bin/sh\nkill -KILL $$\n",
    "second.sh": '#!/bin/sh\ntest -e "$1" && kill -KILL $$\ntouch "$1"\nexit 1\n',
    # Is none.
    "text": "no script",
}

for name, text in SCRIPTS.items():
    path = os.path.join(sys.argv[1], name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o700)
