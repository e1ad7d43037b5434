"""keeps.py STATUS FILE COMMAND...: the command ends with STATUS, says why, and leaves FILE as it is."""

import subprocess
import sys

status, path, *command = sys.argv[1:]
with open(path, "rb") as file:
    before = file.read()
done = subprocess.run(command, capture_output=True, text=True)
with open(path, "rb") as file:
    after = file.read()
sys.stdout.write(done.stderr)
if done.returncode != int(status):
    sys.exit(f"exit status {done.returncode}, not {status}")
if before != after:
    sys.exit(f"{path} was changed")
if done.stdout or ": error: " not in done.stderr:
    sys.exit("something on standard output, or no error")
