import { describe, expect, it } from 'vitest'
import { workTime } from '../../../test/work-time.ts'
import { compileMatcher, compileRegex } from './matcher.ts'

describe('tool matchers', () => {
  it('without a pattern match every tool', () => {
    expect([compileMatcher(undefined), compileMatcher('*'), compileRegex('*')]).toEqual([{}, {}, {}])
  })

  it('know every name of a built-in tool', () => {
    expect(compileMatcher('shell').tool_globs).toEqual([
      'shell',
      'execute_bash',
      'execute_cmd',
      'Shell',
      '@*/shell',
      'mcp__*__shell',
    ])
    expect(compileMatcher('fs_*').tool_globs).toEqual([
      'fs_*',
      'fs_read',
      'read',
      'ReadFile',
      'ListFolder',
      'fs_write',
      'write',
      'WriteFile',
      'EditFile',
    ])
  })

  it('know both spellings of an MCP tool', () => {
    expect(compileMatcher('@git')).toEqual({ tool_globs: ['@git/*', 'mcp__git__*'] })
    expect(compileMatcher('@git/status')).toEqual({ tool_names: ['@git/status', 'mcp__git__status'] })
    expect(compileMatcher('@git/*').tool_globs).toEqual(['@git/*', 'mcp__git__*'])
    expect(compileMatcher('@builtin')).toEqual({ not: { tool_globs: ['@*', 'mcp__*'] } })
  })

  it('of stand-alone files are regular expressions', () => {
    expect(compileRegex('fs_write|deploy')).toEqual({
      tool: '(?:fs_write|deploy)|^(?:fs_write|write|WriteFile|EditFile)$',
    })
    expect(() => compileRegex('(')).toThrow()
  })

  it('take no long time over hostile patterns', () => {
    const hostile = `${'*a'.repeat(2000)}*`
    expect(workTime(500, () => compileMatcher(hostile))).toBeLessThan(500)
  })
})
