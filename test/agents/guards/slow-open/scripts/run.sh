#!/usr/bin/env bash
sleep 60
