"""Hooks around the tool calls of other frameworks: one module for each, and `guard`, which they share."""

from .guard import Guard, ToolCall

__all__ = ["Guard", "ToolCall"]
