"""Sets one byte of a file: damage.py IN OUT OFFSET VALUE"""

import sys

source, target, offset, value = sys.argv[1:]
with open(source, "rb") as file:
    data = bytearray(file.read())
data[int(offset)] = int(value)
with open(target, "wb") as file:
    file.write(data)
