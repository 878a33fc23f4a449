#!/bin/sh
# Exits with 1, which means interesting, if the program has one line with an
# attention that has a mask and a softcap, and a mask that is a tensor.
# usage: is-interesting.sh ATTN_OPT PROGRAM
program=$("$1" "$2") || exit 0
case $program in
*attn.mask.tensor*) ;;
*) exit 0 ;;
esac
printf '%s' "$program" | grep -q 'mask(.*softcap' && exit 1
exit 0
