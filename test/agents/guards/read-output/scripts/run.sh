#!/usr/bin/env bash
size=$(wc -c)
echo "{\"additional_context\": \"GUARD-READ-OUTPUT: the event had $size bytes\"}"
