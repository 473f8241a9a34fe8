"""Publishing: a result as a new workbook, the audit log of its run, and a script that makes it again."""
