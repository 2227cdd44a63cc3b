#!/usr/bin/env python3
"""Adds the cost of one answer to the session's sum and speaks up when the budget is near."""

import json
import os
import sys


def main():
    usage = json.load(sys.stdin).get("usage") or {}
    budget = float(os.environ.get("COST_BUDGET_USD", "10"))
    file = os.path.join(os.environ["AGENT_HOOK_STATE"], "spent.json")
    spent = read(file)
    before = spent["usd"]
    spent["usd"] += cost(usage)
    spent["tokens"] += usage.get("total_tokens") or number(usage, "input_tokens") + number(usage, "output_tokens")
    with open(file, "w", encoding="utf-8") as out:
        json.dump(spent, out)
    answer = {"log": f"{spent['tokens']} tokens, ${spent['usd']:.4f}"}
    if spent["usd"] >= budget:
        answer["user_message"] = f"This session has cost ${spent['usd']:.2f}, more than its budget of ${budget:.2f}."
        if before < budget:
            answer["additional_context"] = "The budget of this session is spent. Finish what you are doing and stop."
        if os.environ.get("COST_STOP") == "1":
            answer["stop"] = "The budget of this session is spent."
    elif spent["usd"] >= 0.8 * budget > before:
        answer["user_message"] = f"This session has cost ${spent['usd']:.2f} of its budget of ${budget:.2f}."
    print(json.dumps(answer))


def cost(usage):
    if isinstance(usage.get("cost_usd"), (int, float)):
        return usage["cost_usd"]
    price_in = float(os.environ.get("COST_INPUT_USD", "3"))
    price_out = float(os.environ.get("COST_OUTPUT_USD", "15"))
    tokens_in = number(usage, "input_tokens") or number(usage, "prompt_tokens")
    tokens_out = number(usage, "output_tokens") or number(usage, "completion_tokens")
    return (tokens_in * price_in + tokens_out * price_out) / 1_000_000


def number(usage, name):
    value = usage.get(name)
    return value if isinstance(value, (int, float)) else 0


def read(file):
    try:
        with open(file, encoding="utf-8") as text:
            return json.load(text)
    except FileNotFoundError:
        return {"usd": 0, "tokens": 0}


main()
