"""A program of one's own: mindatlas sheet examples/sales_by_store.xlsx --code examples/by_product.py."""
# ruff: noqa: F821 - `df` is the table of the workbook; `result` and `chart` are what the program leaves

amounts = df.assign(销售额=df["数量"] * df["单价"])
by_product = amounts.groupby("商品", as_index=False, dropna=False)
result = by_product.agg(数量=("数量", "sum"), 销售额=("销售额", "sum"))
chart = {"type": "column", "x": "商品", "y": "销售额", "title": "各商品销售额"}
