"""The command line that the fuzzers beside this file share."""

import argparse


def make_parser(description, count, unit, quick):
    """`count` is how many programs are run if nobody says so, `unit` what a job
    takes at a time, and `quick` what --quick means."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bin", help="the folder of the tools")
    parser.add_argument("directory", help="where programs that fail are left")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--count", type=int, default=count, help=f"programs ({count})")
    parser.add_argument("--jobs", type=int, default=1, help=f"{unit} at a time (1)")
    parser.add_argument("--quick", action="store_true", help=quick)
    return parser
