/** Pages of the reference that no table holds. */

import { table } from './reference.ts'

type ErrorCodes = Readonly<Record<string, { exit: number; fix: string }>>

export const EXIT_CODES = (codes: ErrorCodes): string => `# Exit codes

## Of a hook's script

| code | means |
|---|---|
| 0 | go on; JSON on stdout is the answer, other text on stdout is context where the event takes it |
| 2 | blocked; stderr is the reason that the model reads |
| anything else | the hook failed: \`on_failure: open\` (the default) goes on and says so, \`closed\` blocks |

Scripts of other formats keep the exit codes of their own format.

## Of crosshook

| code | means |
|---|---|
| 0 | it worked; for \`fire\` and \`check\`: the operation may go on |
| 1 | a usage error, a problem that was found, or nothing trusted; the last lines say what to do |
| 2 | only \`fire\`, \`check\` and \`hook\`: a hook blocked the operation |
| 70 | an error in crosshook itself |

With \`--json\` an error is \`{"error": {"code", "message", "fix"}}\`:

${table(
  ['code', 'exit', 'what to do'],
  Object.entries(codes).map(([code, { exit, fix }]) => [`\`${code}\``, String(exit), fix]),
)}
`

export const RUN = `# How a hook runs

| \`run\` | what happens | answers by |
|---|---|---|
| (left out) | \`scripts/run\`, \`run.sh\` or \`run.py\` is started with the event on stdin | exit code, stdout, stderr |
| \`outcome\` (a field of its own) | nothing is started: the matcher is the rule | the fields of \`outcome\` |
| \`run: { command: LINE }\` | a line for bash, with the event on stdin | exit code, stdout, stderr |
| \`run: { module: FILE }\` | a JavaScript or TypeScript module, in the warm engine; the function that it exports as default, \`hook\` or \`run\` gets the event | what it returns |
| \`run: { http: { url, headers } }\` | the event is posted; private addresses only when \`allowed_hosts\` names them | JSON body; a status other than 2xx is a failure |
| \`run: { prompt: { template } }\` | a question to a model; \`{{tool_name}}\`, \`{{tool_input}}\`, \`{{prompt}}\`, \`{{payload}}\` and others are filled in | the model's verdict |
| \`run: { agent: { template, tools } }\` | a model with tools that only look | the model's verdict |

\`prompt\` and \`agent\` need a model: \`model\` in the hook, or \`models.default\` in config.toml. Without one, \`crosshook validate\`
reports an error.

\`timeout\` is in milliseconds. \`retries\` tries a failure again. \`cache: SECONDS\` reuses an answer for the same input.
\`async: true\` starts the hook beside the agent: it cannot block. \`sandbox: true\` confines its program (\`crosshook help sandbox\`).
`

export const ORDER = `# In which order hooks run

Each format keeps the order that its own document promises, and all defaults meet in the middle.

| written in | field | first | default |
|---|---|---|---|
| HOOK.md | \`priority\` | the highest | 100 |
| programs (\`hooks.on\`, the SDKs) | \`priority\` | the highest | 100 |
| A3S | \`priority\` | the lowest | 100 |
| settings of agents | (none) | as they stand in the file | as HOOK.md's 100 |

Where that is equal: hooks of the machine, then yours, then the project's (\`crosshook list\` shows the scope); then as they were read. \`after: [NAME]\` lets a hook
wait for others and gives it their data. \`crosshook explain EVENT\` and \`crosshook fire EVENT --dry-run\` print the steps that would
be taken.

A block stops the hooks after it; hooks that run together each have their say. Guards of crosshook itself come last, whatever the
priority.
`
