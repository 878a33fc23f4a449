#!/bin/sh
# Exits with 7, which means interesting as any number but 0 does, if the program
# contains a text.
# usage: contains.sh TEXT PROGRAM
grep -q "$1" "$2" && exit 7
exit 0
