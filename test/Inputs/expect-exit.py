#!/usr/bin/env python3
"""Runs a command and fails unless it exits with the given code."""

import subprocess
import sys

sys.exit(subprocess.call(sys.argv[2:]) != int(sys.argv[1]))
