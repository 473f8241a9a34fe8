"""A registry of 500 business tools, made from a list of entities: what the choice among many tools is measured on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import yaml

from mindatlas.nodes.workdesk.parts.overlay_fit import fit_cards
from mindatlas.nodes.workdesk.parts.overlays import shipped_servers
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard

_CAMEL = {
    "list": "query{}List", "get": "get{}Detail", "stat": "count{}", "create": "add{}", "update": "modify{}",
    "cancel": "void{}", "approve": "audit{}", "export": "export{}", "history": "get{}Log", "remind": "notify{}",
    "assign": "assign{}", "import": "import{}Batch", "attach": "upload{}File", "print": "print{}",
}  # fmt: skip
_ZH_THIN = {
    "list": "查询{zh}列表", "get": "查询{zh}详情", "stat": "{zh}统计", "create": "新增{zh}", "update": "修改{zh}",
    "cancel": "作废{zh}", "approve": "审批{zh}", "export": "导出{zh}", "history": "{zh}操作日志", "remind": "{zh}提醒",
    "assign": "分配{zh}", "import": "批量导入{zh}", "attach": "上传{zh}附件", "print": "打印{zh}",
}  # fmt: skip
_ZH_FULL = {
    "list": "按{zh_by}等条件分页查询{zh}，返回编号和基本信息", "get": "根据编号返回一条{zh}的全部字段",
    "stat": "按{zh_by}汇总{zh}的数量，用于报表", "create": "录入一条新的{zh}，成功后返回编号",
    "update": "更新已有{zh}的内容，只传要改的字段", "cancel": "撤销尚未生效的{zh}，需要填写原因",
    "approve": "对待审的{zh}给出通过或驳回的意见", "export": "把符合条件的{zh}生成文件供下载",
    "history": "返回一条{zh}的历次变更及操作人", "remind": "给{zh}的相关人员发送通知", "assign": "为{zh}指定负责人",
    "import": "从模板文件成批写入{zh}", "attach": "给一条{zh}添加附件", "print": "生成{zh}的打印版式",
}  # fmt: skip
_EN_THIN = {
    "list": "List {ens}", "get": "Get {en}", "stat": "Count {ens}", "create": "Create {en}", "update": "Update {en}",
    "cancel": "Cancel {en}", "approve": "Approve {en}", "export": "Export {ens}", "history": "{en} change log",
    "remind": "Send {en} reminder", "assign": "Assign {en}", "import": "Import {ens}", "attach": "Attach file to {en}",
    "print": "Print {en}",
}  # fmt: skip
_EN_FULL = {
    "list": "Returns a page of {ens}, optionally filtered by {en_by}.", "get": "Returns every field of one {en} by its id.",
    "stat": "Aggregates the number of {ens} by {en_by} for reporting.", "create": "Creates a {en} and returns its id.",
    "update": "Changes fields of an existing {en}; fields not given stay as they are.",
    "cancel": "Withdraws a {en} that has not taken effect yet. A reason is mandatory.",
    "approve": "Records the decision, approved or rejected, on a pending {en}.",
    "export": "Writes the matching {ens} to a file for download.", "history": "Returns who changed a {en}, what and when.",
    "remind": "Sends a notification to everybody concerned with a {en}.", "assign": "Sets the person responsible for a {en}.",
    "import": "Loads {ens} in bulk from a template file.", "attach": "Stores a file with a {en}.",
    "print": "Renders a {en} for printing.",
}  # fmt: skip
_TEXTS: Mapping[str, Sequence[Mapping[str, str]]] = {
    "zh_thin": [_ZH_THIN], "zh_full": [_ZH_FULL], "en_thin": [_EN_THIN], "en_full": [_EN_FULL], "both": [_ZH_THIN, _EN_THIN],
}  # fmt: skip
_ORDER_TOOLS = {
    "order_stat": "order stat", "order_list": "order list", "order_get": "order info", "team_list": "team list",
    "site_list": "site list", "person_list": "person list", "type_dict": "type dict", "status_dict": "status dict",
    "order_export": "export", "order_remark": "remark",
}  # fmt: skip


def registry() -> list[ToolCard]:
    """Return 500 cards: 490 tools of 35 invented servers without overlays, and the ten of the order server with theirs."""
    invented = [tool for domain in domains() for tool in _tools(domain)]
    orders = [ServerTool(server="orders", name=name, description=text) for name, text in _ORDER_TOOLS.items()]
    cards, _ = fit_cards([*invented, *orders], shipped_servers())
    return cards


def domains() -> list[dict[str, Any]]:
    """Return the domains of the registry as `tool_entities.yaml` lists them."""
    text = (
        files("mindatlas.evals")
        .joinpath("cases", "workdesk", "tool_entities.yaml")
        .read_text(encoding="utf-8")
    )
    return list(yaml.safe_load(text)["domains"])


def tool_name(server: str, habit: str, key: str, operation: str) -> str:
    """Return the name of one tool in the naming habit of its server."""
    if habit == "camel":
        return _CAMEL[operation].format(key.capitalize())
    if habit == "kebab":
        return f"{operation}-{key}"
    if habit == "code":  # names that say nothing, as old systems have them
        number = sorted(_CAMEL).index(operation)
        return f"{server[:2]}{sum(map(ord, key)) % 100:02}{number:02}"
    return f"{key}_{operation}"


def _tools(domain: Mapping[str, Any]) -> Iterator[ServerTool]:
    server = domain["server"]
    for key, zh, en, plural, zh_fields, en_fields, operations in domain["entities"]:
        words = {"zh": zh, "en": en, "ens": plural, "zh_by": zh_fields, "en_by": en_fields}
        for operation in operations:
            texts = [forms[operation].format(**words) for forms in _TEXTS[domain["texts"]]]
            name = tool_name(server, domain["names"], key, operation)
            yield ServerTool(
                server=server, name=name, description=" ".join(text[0].upper() + text[1:] for text in texts)
            )
