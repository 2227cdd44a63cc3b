import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JournalEntry } from '../journal/port.ts'
import { openJournal } from '../journal/sqlite/open.ts'
import type { Hook } from '../spec/hook.ts'
import { loadDraft, lookAtDraft } from './draft.ts'
import { digestOf, saveHook } from './save.ts'
import { listShelf, readShelf } from './shelf.ts'
import { templateFiles } from './template.ts'
import { tryOnCases, tryOnHistory } from './try.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'crosshook-builder-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const GUARD = `---
name: guard # mine
description: Keeps rm away.
trigger: before_tool
matcher:
  program: rm
outcome:
  decision: deny
  reason: no
---
`

async function hookOf(text: string): Promise<Hook> {
  return (await loadDraft(text, [])).hook!
}

describe('a draft', () => {
  it('is edited, read and checked, with the line of each problem', async () => {
    const { draft } = await lookAtDraft({ text: GUARD, edits: [{ path: ['timeout'], value: 5 }] })
    expect(draft.text).toBe(GUARD.replace('  reason: no\n', '  reason: no\ntimeout: 5\n'))
    expect(draft.fields).toMatchObject({ name: 'guard', timeout: 5 })
    expect(draft.problems).toMatchObject([{ level: 'error', field: 'timeout', line: 10 }])
    expect(draft.hook).toBeNull()
  })

  it('that cannot be read has no fields and says where it is broken', async () => {
    const { draft } = await lookAtDraft({ text: '---\nname: [a\n---\n' })
    expect(draft.fields).toBeNull()
    expect(draft.problems[0]).toMatchObject({ level: 'error', line: expect.any(Number) })
  })

  it('stands among the other hooks of its event, after those that it names', async () => {
    const other = await hookOf(GUARD.replace('guard', 'other').replace('outcome:', 'priority: 10\noutcome:'))
    const { draft } = await lookAtDraft({ text: GUARD, among: [other] })
    expect(draft.order.map(({ name, is_draft }) => [name, is_draft])).toEqual([
      ['guard', true],
      ['other', false],
    ])
    const { draft: later } = await lookAtDraft({
      text: GUARD,
      edits: [{ path: ['after'], value: ['other'] }],
      among: [other],
    })
    expect(later.order.map(({ name }) => name)).toEqual(['other', 'guard'])
  })

  it('cannot name files outside its folder', async () => {
    await expect(loadDraft(GUARD, [{ path: '../evil', text: '' }])).rejects.toThrow(/not inside/)
  })
})

describe('trying a hook', () => {
  const entry = (detail: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
    event: 'before_tool',
    session_id: 's',
    work_dir: '/p',
    tool_name: 'Shell',
    detail,
    decision: 'allow',
    reason: null,
    stop: null,
    duration_ms: 1,
    source: 'hook',
    hooks: [],
    ...more,
  })

  function journalWith(entries: JournalEntry[]) {
    const journal = openJournal(join(folder(), 'state'))
    for (const each of entries) journal.append(each)
    onTestFinished(() => journal.close())
    return journal
  }

  it('on history counts what it applies to and lists what would have become another decision', async () => {
    const journal = journalWith([
      entry('rm a'),
      entry('ls'),
      entry('rm b', { decision: 'deny', reason: 'x' }),
      entry('rm c', { event: 'after_tool' }),
    ])
    const tried = await tryOnHistory(await hookOf(GUARD), { journal, env: { HOME: '/none' } })
    expect(tried).toMatchObject({ events: 3, applies: 2, says: { deny: 2 }, changes: 1, not_run: 0 })
    expect(tried.changed).toMatchObject([{ before: 'allow', after: 'deny', summary: 'rm a', hook: 'guard' }])
  })

  it('that is changed compares it with what it was', async () => {
    const journal = journalWith([entry('rm a'), entry('mv b c')])
    const before = await hookOf(GUARD)
    const after = await hookOf(GUARD.replace('program: rm', 'program: mv'))
    const tried = await tryOnHistory(after, { journal, env: { HOME: '/none' }, before })
    expect(tried.changed.map(({ summary, before: was, after: is }) => [summary, was, is])).toEqual([
      ['mv b c', 'allow', 'deny'],
      ['rm a', 'deny', 'allow'],
    ])
  })

  it('that is a program runs nothing and says so', async () => {
    const mark = join(folder(), 'ran')
    const journal = journalWith([entry('rm a')])
    const text = GUARD.replace(
      'outcome:\n  decision: deny\n  reason: no\n',
      `run:\n  command: touch ${mark}\n`,
    )
    const tried = await tryOnHistory(await hookOf(text), { journal, env: { HOME: '/none' } })
    expect(tried).toMatchObject({ applies: 1, not_run: 1, changes: 0 })
    expect(existsSync(mark)).toBe(false)
  })

  it('on cases tells what passed, what did not, and what only a run can tell', async () => {
    const cases = `- { name: right, event: before_tool, tool_name: Shell, tool_input: { command: rm x }, expect: { decision: deny, status: blocked } }
- { name: wrong, event: before_tool, tool_name: Shell, tool_input: { command: ls }, expect: { decision: deny } }
- { name: unmatched, event: before_tool, tool_name: Shell, tool_input: { command: ls }, expect: { status: skipped } }
`
    const { cases: tried } = await tryOnCases(await hookOf(GUARD), cases, { HOME: '/none' })
    expect(tried.map(({ name, passed }) => [name, passed])).toEqual([
      ['right', true],
      ['wrong', false],
      ['unmatched', true],
    ])
    const script = await hookOf(
      GUARD.replace('outcome:\n  decision: deny\n  reason: no\n', 'run:\n  command: exit 2\n'),
    )
    expect((await tryOnCases(script, cases, { HOME: '/none' })).cases[0]!.passed).toBeNull()
    expect((await tryOnCases(script, '- x', { HOME: '/none' })).problem).toMatch(/cases.yaml/)
  })
})

describe('saving', () => {
  it('writes the hook and its files, and never over another or a changed one', async () => {
    const home = folder()
    const env = { HOME: home }
    const given = { text: GUARD, scope: 'user' as const, workDir: home, env }
    const saved = await saveHook({
      ...given,
      files: [{ path: 'scripts/run.sh', text: 'exit 0\n', executable: true }],
    })
    expect(saved.file).toBe(join(home, '.config/agents/hooks/guard/HOOK.md'))
    expect(readFileSync(saved.file, 'utf8')).toBe(GUARD)
    expect(statSync(saved.files[1]!).mode & 0o111).not.toBe(0)
    await expect(saveHook(given)).rejects.toThrow(/there already/)
    const replaces = {
      ...(await hookOf(GUARD)),
      scope: 'user' as const,
      origin: { file: saved.file, dir: join(saved.file, '..') },
    }
    const changed = GUARD.replace('no\n', 'never\n')
    await saveHook({ ...given, text: changed, replaces, opened: saved.digest })
    expect(readFileSync(saved.file, 'utf8')).toBe(changed)
    writeFileSync(saved.file, GUARD)
    await expect(saveHook({ ...given, text: changed, replaces, opened: digestOf(changed) })).rejects.toThrow(
      /has changed/,
    )
  })

  it('refuses what does not load, what leaves its folder, and managed hooks', async () => {
    const home = folder()
    const given = { text: GUARD, scope: 'user' as const, workDir: home, env: { HOME: home } }
    await expect(saveHook({ ...given, text: GUARD.replace('before_tool', 'never') })).rejects.toThrow(
      /line 4/,
    )
    await expect(saveHook({ ...given, text: GUARD.replace('guard #', '../guard #') })).rejects.toThrow(
      /name of a folder/,
    )
    await expect(saveHook({ ...given, files: [{ path: '../../x', text: '' }] })).rejects.toThrow(/not inside/)
    const replaces = { ...(await hookOf(GUARD)), scope: 'managed' as const }
    await expect(saveHook({ ...given, replaces })).rejects.toThrow(/managed/)
    expect(existsSync(join(home, '.config'))).toBe(false)
  })
})

describe('the shelves', () => {
  it('say what each hook needs, and flag what a person should look at', async () => {
    const rows = await listShelf('gallery')
    const needs = (name: string) => rows.find((row) => row.name === name)!.needs
    expect(needs('git-guard')).toEqual([{ text: 'starts nothing: its conditions are the rule', risk: false }])
    expect(needs('quality-gate')).toEqual([{ text: 'runs a program with your own rights', risk: true }])
    expect(needs('auto-format').map(({ text }) => text)).toContain('writes project')
    await expect(readShelf('gallery', 'git-gard')).rejects.toThrow(/Did you mean "git-guard"/)
    await expect(readShelf('gallery', '../templates/budget')).rejects.toThrow(/there is no/)
  })

  it('have templates that become hooks of another name and say nothing of templates then', async () => {
    for (const { name } of await listShelf('templates')) {
      const [hook] = await templateFiles(name, 'mine')
      expect(hook!.text).toMatch(/^---\nname: mine\n/)
      expect(hook!.text).not.toContain('metadata:')
    }
  })
})
