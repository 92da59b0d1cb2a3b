// The command line: run, check, docs.
