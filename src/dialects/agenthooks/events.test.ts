import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encode, spacedJson } from './events.ts'
import { aHook, anEvent } from './testing.ts'

describe('what a script reads on stdin', () => {
  it('is one line in the spacing of the sample scripts, the fields of the tool before all else of the event', () => {
    const event = anEvent({
      context: { mode: 'x' },
      native: { command: 'native' },
      agent: 'some',
      tool_name: 'Shell',
      tool_input: { command: 'ls -la', list: [1, 'é"'] },
    })
    expect(encode(event, aHook()).text).toBe(
      '{"event_type": "before_tool", "timestamp": "2026-01-15T10:30:00Z", "session_id": "sess-1", "work_dir": "/project", ' +
        '"tool_name": "Shell", "tool_input": {"command": "ls -la", "list": [1, "é\\""]}, "tool_use_id": "", ' +
        '"context": {"mode": "x"}, "agent": "some", "native": {"command": "native"}}\n',
    )
  })

  it('always has the fields that the specification names, and keeps those it does not', () => {
    const read = (more: object) => JSON.parse(encode(anEvent(more), aHook()).text)
    expect(read({ event_type: 'after_tool' })).toMatchObject({
      tool_name: '',
      tool_input: {},
      tool_use_id: '',
    })
    expect(read({ event_type: 'before_stop', stop_reason: 'no_tool_calls', extra: 1 })).toEqual({
      ...anEvent({ event_type: 'before_stop' }),
      stop_reason: 'no_tool_calls',
      final_message: null,
      extra: 1,
    })
  })

  it('names the event as a hook of the later version wrote it', () => {
    const { text } = encode(anEvent(), aHook({ native_event: 'pre-tool-call' }))
    expect(JSON.parse(text).event_type).toBe('pre-tool-call')
  })
})

describe('spaced JSON', () => {
  it('says what JSON.stringify says', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withSparseArray: true }), (value) => {
        fc.pre(JSON.stringify({ value }) !== undefined)
        expect(JSON.parse(spacedJson({ value }))).toEqual(JSON.parse(JSON.stringify({ value })))
      }),
    )
  })

  it('is written as Python writes it', () => {
    const values = fc.sample(fc.jsonValue({ noUnicodeString: false }), { numRuns: 200, seed: 7 })
    const whole = JSON.parse(JSON.stringify(values, (_key, value) => (typeof value === 'number' ? 1 : value)))
    const python = spawnSync('python3', ['-c', PYTHON], { input: JSON.stringify(whole), encoding: 'utf8' })
    expect(python.stderr).toBe('')
    expect(spacedJson(whole)).toBe(python.stdout)
  })

  it('survives values that contain themselves and any depth', () => {
    const loop: Record<string, unknown> = { a: 1 }
    loop.self = loop
    expect(spacedJson(loop)).toBe('{"a": 1, "self": null}')
    let deep: unknown = []
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(spacedJson(deep)).toHaveLength(200_002)
  })
})

const PYTHON = `
import json, sys
sys.stdout.reconfigure(encoding='utf-8')
sys.stdout.write(json.dumps(json.load(sys.stdin), ensure_ascii=False))
`
