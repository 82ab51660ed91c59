"""What is on a terminal, above its screen as well, after all that was written to it: screen.py ROWS COLUMNS, from stdin. A line that goes on in the next is two."""
import re, sys

rows, columns = map(int, sys.argv[1:])
lines, row, column = [""], 0, 0
for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|.", sys.stdin.buffer.read().decode(), re.S):
    if part == "\r":
        column = 0
    elif part == "\n":
        row += 1
    elif re.fullmatch(r"\x1b\[\d+A", part):
        row = max(row - int(part[2:-1]), len(lines) - rows, 0)
    elif part == "\x1b[J":
        lines = lines[:row] + [lines[row][:column]]
    elif re.fullmatch(r"\x1b\[\d+m", part):
        pass
    elif part.isprintable():
        if column == columns:
            row, column = row + 1, 0
        lines += [""] * (row + 1 - len(lines))
        lines[row] = lines[row][:column].ljust(column) + part + lines[row][column + 1:]
        column += 1
    else:
        sys.exit(f"unexpected: {part!r}")
    lines += [""] * (row + 1 - len(lines))
print("\n".join(lines))
