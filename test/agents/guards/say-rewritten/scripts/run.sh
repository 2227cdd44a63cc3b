#!/usr/bin/env bash
cat > /dev/null
echo '{"decision": "allow", "updated_input": {"command": "echo rewritten > rewrite.txt"}}'
