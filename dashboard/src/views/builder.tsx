/** Makes and changes hooks without code: form, canvas and text of one HOOK.md, in step, tried while it is written. */

import type { ComponentType } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { get, type Problem, reconnections } from '../api.ts'
import { Form, type FormWords } from '../builder/form.tsx'
import { type Builder, createBuilder, type HookFile, type Opened } from '../builder/state.ts'
import { TriedPanel } from '../builder/tried.tsx'
import { problemOf, useLoad } from '../load.ts'
import { go, link, query, thing } from '../router.ts'
import { Chip } from '../ui/chip.tsx'
import { Empty, ProblemBox } from '../ui/empty.tsx'
import { Text } from '../ui/text.tsx'

const BLANK = `---
name: my-hook
description: Say here in one sentence what this hook is for.
trigger: before_tool
matcher:
  tool: Shell
outcome:
  decision: ask
  reason: Say here why, and what to do instead.
---

# my-hook

Why it is there, and what to do when it refuses.
`

const CASES = `# Run with \`crosshook test\`.
- name: is for this call
  event: before_tool
  tool_name: Shell
  tool_input: { command: echo hello }
  expect: { decision: ask }
`

interface Source {
  name: string
  scope: string
  file: string
  text: string
  digest: string
  files: HookFile[]
}

export function View() {
  const { scope, work_dir: workDir, template, gallery } = query.value
  const address = JSON.stringify([thing.value, scope, workDir, template, gallery])
  return <Bench key={address} address={address} name={thing.value} />
}

/** Opens its hook once: later answers of the host do not replace what was typed since. */
function Bench({ address, name }: { address: string; name: string | undefined }) {
  const { scope, work_dir: workDir = '', template, gallery } = query.value
  const shelf = template === undefined ? (gallery === undefined ? undefined : 'gallery') : 'templates'
  const words = useLoad<FormWords>((signal) => get('/v1/builder/words', {}, signal))
  const opened = useLoad<Parameters<typeof createBuilder>[0]>(async (signal) => {
    if (name !== undefined) {
      const source = await get<Source>('/v1/builder/hook', { name, scope, work_dir: workDir }, signal)
      const { text, files, digest, file } = source
      const at: Opened = { name: source.name, scope: source.scope, file, digest, work_dir: workDir }
      return { text, files, opened: at, workDir }
    }
    if (shelf === undefined) return { text: BLANK, files: [{ path: 'cases.yaml', text: CASES }], workDir }
    const { files } = await get<{ files: HookFile[] }>(
      `/v1/${shelf}/${encodeURIComponent((template ?? gallery)!)}`,
      {},
      signal,
    )
    return {
      text: files.find(({ path }) => path === 'HOOK.md')!.text,
      files: files.filter(({ path }) => path !== 'HOOK.md'),
      workDir,
    }
  })
  const isOpen = opened.data !== undefined
  const [round, setRound] = useState(0)
  const builder = useMemo(() => opened.data && draftAt(address, opened.data), [isOpen, round])
  const problem = words.problem ?? opened.problem
  if (problem && !builder) return <ProblemBox problem={problem} onRetry={opened.reload} />
  if (!builder || !words.data) return <p class="loading">Loading…</p>
  const startOver = () => {
    drafts.delete(address)
    setRound(round + 1)
  }
  return <Workbench key={`${round}`} builder={builder} words={words.data} onStartOver={startOver} />
}

/** Unsaved work by URL, kept while another view is shown. */
const drafts = new Map<string, Builder>()

function draftAt(address: string, given: Parameters<typeof createBuilder>[0]): Builder {
  const before = drafts.get(address)
  if (before && isUnsaved(before)) return before
  const builder = createBuilder(given)
  drafts.set(address, builder)
  return builder
}

const TABS = ['Form', 'Canvas', 'Text', 'Files'] as const
type Tab = (typeof TABS)[number]

/** From this width on, form and text are side by side. */
const SIDE_BY_SIDE_PX = 1000

interface WorkbenchProps {
  builder: Builder
  words: FormWords
  onStartOver: () => void
}

function Workbench({ builder, words, onStartOver }: WorkbenchProps) {
  const [left, setLeft] = useState<Tab>('Form')
  const [right, setRight] = useState<Tab>('Text')
  const [isWide, setWide] = useState(innerWidth >= SIDE_BY_SIDE_PX)
  useEffect(() => {
    // Fields that describe the template are not copied into the hook.
    void builder.edit(...(query.value.template === undefined ? [] : [{ path: ['metadata', 'template'] }]))
    const resize = () => setWide(innerWidth >= SIDE_BY_SIDE_PX)
    addEventListener('resize', resize)
    const leave = (event: BeforeUnloadEvent) => {
      if (isUnsaved(builder)) event.preventDefault()
    }
    addEventListener('beforeunload', leave)
    return () => {
      removeEventListener('resize', resize)
      removeEventListener('beforeunload', leave)
    }
  }, [builder])
  const found = reconnections.value
  useEffect(() => {
    if (builder.problem.value?.code === 'lost') void builder.edit()
  }, [found])
  const view = builder.view.value
  return (
    <>
      <div class="head">
        <h1>Builder</h1>
        <span class="soft">
          {builder.opened ? <Text of={builder.opened.file} brief={90} /> : 'a new hook'}
          {isUnsaved(builder) ? ' · not saved' : ''}
        </span>
        <span class="end row">
          {isUnsaved(builder) && (
            <button type="button" class="quiet" onClick={onStartOver}>
              Start over
            </button>
          )}
          <a href={link('templates')}>Templates</a>
        </span>
      </div>
      {builder.problem.value && <ProblemBox problem={builder.problem.value} />}
      <Save builder={builder} />
      <div class="workbench" data-wide={isWide ? '' : undefined}>
        <Side
          tabs={isWide ? ['Form', 'Canvas'] : TABS}
          tab={isWide || left !== 'Text' ? left : left}
          onTab={setLeft}
          builder={builder}
          words={words}
        />
        {isWide && (
          <Side tabs={['Text', 'Files']} tab={right} onTab={setRight} builder={builder} words={words} />
        )}
      </div>
      {view && view.problems.length > 0 && <Problems builder={builder} />}
      <TriedPanel builder={builder} />
    </>
  )
}

function isUnsaved(builder: Builder): boolean {
  return (
    builder.text.value !== (builder.savedText.value ?? (builder.opened ? undefined : BLANK)) ||
    builder.files.value !== builder.savedFiles.value
  )
}

interface SideProps {
  tabs: readonly Tab[]
  tab: Tab
  onTab: (tab: Tab) => void
  builder: Builder
  words: FormWords
}

function Side({ tabs, tab: wanted, onTab, builder, words }: SideProps) {
  const tab = tabs.includes(wanted) ? wanted : tabs[0]!
  return (
    <div class="side-panel panel">
      <div class="tabs" role="tablist" aria-label="Ways to write the hook">
        {tabs.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === tab}
            onClick={() => onTab(each)}
          >
            {each}
          </button>
        ))}
      </div>
      <div class="tab-content" role="tabpanel" aria-label={tab}>
        {tab === 'Form' && <Form builder={builder} words={words} />}
        {tab === 'Canvas' && <LazyCanvas builder={builder} />}
        {tab === 'Text' && (
          <LazyEditor
            kind="hook"
            label="Text of the HOOK.md"
            read={() => builder.text.value}
            version={builder.version.value}
            problems={builder.view.value?.problems ?? []}
            schema={words.schema}
            onText={(text) => builder.type(text)}
          />
        )}
        {tab === 'Files' && <Files builder={builder} />}
      </div>
    </div>
  )
}

function LazyCanvas({ builder }: { builder: Builder }) {
  const Canvas = useLazy(() => import('../builder/canvas.tsx').then((module) => module.Canvas))
  if (Canvas instanceof Error) return <p class="soft">The canvas could not be loaded: {Canvas.message}</p>
  const choose = (name: string) =>
    go(link('builder', name, builder.workDir ? { work_dir: builder.workDir } : {}))
  return Canvas ? <Canvas builder={builder} onChoose={choose} /> : <p class="loading">Loading…</p>
}

type EditorModule = typeof import('../builder/editor.tsx')

function LazyEditor(props: Parameters<EditorModule['Editor']>[0]) {
  const Editor = useLazy(() => import('../builder/editor.tsx').then((module) => module.Editor))
  if (Editor instanceof Error) return <p class="soft">The editor could not be loaded: {Editor.message}</p>
  return Editor ? <Editor {...props} /> : <p class="loading">Loading…</p>
}

function useLazy<T extends ComponentType<never>>(load: () => Promise<T>): T | Error | undefined {
  const [found, setFound] = useState<{ it: T | Error }>()
  useEffect(() => {
    load().then(
      (it) => setFound({ it }),
      (it: Error) => setFound({ it }),
    )
  }, [])
  return found?.it
}

function Files({ builder }: { builder: Builder }) {
  const files = builder.files.value
  const [chosen, setChosen] = useState(files[0]?.path ?? '')
  const file = files.find(({ path }) => path === chosen) ?? files[0]
  return (
    <>
      <div class="row pad">
        {files.map(({ path }) => (
          <button key={path} type="button" aria-pressed={path === file?.path} onClick={() => setChosen(path)}>
            {path}
          </button>
        ))}
        {!files.some(({ path }) => path === 'cases.yaml') && (
          <button type="button" class="quiet" onClick={() => builder.setFile('cases.yaml', CASES)}>
            Add cases
          </button>
        )}
      </div>
      {file ? (
        <LazyEditor
          key={file.path}
          kind={file.path.endsWith('.yaml') ? 'yaml' : 'plain'}
          label={file.path}
          read={() => builder.files.value.find(({ path }) => path === file.path)?.text ?? ''}
          version={0}
          onText={(text) => builder.setFile(file.path, text, file.executable)}
        />
      ) : (
        <Empty title="No other file">
          <p>A hook with a fixed answer needs none; cases beside it say what it must do.</p>
        </Empty>
      )}
    </>
  )
}

function Problems({ builder }: { builder: Builder }) {
  return (
    <ul class="problems panel pad">
      {builder.view.value!.problems.map(({ level, line, message, fix }, i) => (
        <li key={i}>
          <Chip tone={level === 'error' ? 'bad' : 'warn'}>{level}</Chip> line {line}: <Text of={message} />{' '}
          <span class="soft">
            <Text of={fix} />
          </span>
        </li>
      ))}
    </ul>
  )
}

interface Done {
  name: string
  file: string
  trust: string | null
}

function Save({ builder }: { builder: Builder }) {
  const projects = useLoad<{ by: { project: { name: string }[] } }>((signal) =>
    get('/v1/stats', { since: '90d' }, signal),
  )
  const [scope, setScope] = useState(builder.opened?.scope ?? 'user')
  const [project, setProject] = useState(builder.workDir)
  const [state, setState] = useState<Done | Problem | 'saving'>()
  const hasErrors = builder.view.value?.problems.some(({ level }) => level === 'error') ?? true
  const save = async () => {
    setState('saving')
    try {
      setState(await builder.save(scope, scope === 'project' ? project : builder.workDir))
    } catch (error) {
      setState(problemOf(error))
    }
  }
  return (
    <section class="save" aria-label="Save">
      <div class="row">
        {!builder.opened && (
          <fieldset class="choices">
            <legend class="unseen">For whom</legend>
            {[
              ['user', 'for me, everywhere'],
              ['project', 'for a project'],
            ].map(([value, words]) => (
              <label key={value}>
                <input
                  type="radio"
                  name="scope"
                  checked={scope === value}
                  onChange={() => setScope(value!)}
                />
                <span>{words}</span>
              </label>
            ))}
          </fieldset>
        )}
        {!builder.opened && scope === 'project' && (
          <label class="field inline">
            <span>Folder</span>
            <input
              class="mono"
              list="projects"
              value={project}
              onInput={(event) => setProject(event.currentTarget.value)}
              placeholder="/path/of/the/project"
            />
            <datalist id="projects">
              {projects.data?.by.project.map(({ name }) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </label>
        )}
        <button
          type="button"
          class="main"
          disabled={
            hasErrors || state === 'saving' || (scope === 'project' && !builder.opened && project === '')
          }
          onClick={save}
        >
          {state === 'saving' ? 'Saving…' : 'Save'}
        </button>
        {hasErrors && <span class="soft">What does not load is not saved.</span>}
        {builder.view.value?.hook?.needs.map(({ text, risk }) => (
          <Chip key={text} tone={risk ? 'warn' : 'soft'}>
            {text}
          </Chip>
        ))}
      </div>
      {state &&
        state !== 'saving' &&
        ('file' in state ? <Saved done={state} /> : <ProblemBox problem={state} />)}
    </section>
  )
}

function Saved({ done }: { done: Done }) {
  return (
    <p role="status">
      <Chip tone="good">saved</Chip>{' '}
      <code>
        <Text of={done.file} />
      </code>
      {done.trust !== null && done.trust !== 'trusted' && (
        <>
          {' '}
          It runs when you have looked at it and trust it: <a href={link('hooks')}>Hooks</a>, or{' '}
          <code>crosshook trust {done.name}</code>.
        </>
      )}
    </p>
  )
}
