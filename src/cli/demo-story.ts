/** The files of the demo's project, and the calls of its scripted model. */

import type { Line } from '../demo/agent/scripted-model.ts'

export const PROMPT = 'Clean up, look at the settings, and make the tests pass.'

/** Hooks of the gallery that the story uses. */
export const HOOKS = [
  'block-destruction',
  'protect-secrets',
  'no-secrets-in-files',
  'git-guard',
  'git-guard-ask',
  'self-protection',
]

/** Python scripts; left out when Python is missing. */
export const SCRIPT_HOOKS = ['add-timeout', 'quality-gate']

export const FILES: Readonly<Record<string, string>> = {
  'greet.sh': 'echo "Helo, $1"\n',
  'test.sh': '[ "$(bash greet.sh you)" = "Hello, you" ] || { echo "expected: Hello, you"; exit 1; }\n',
  '.env': 'API_KEY=not-for-models\n',
  '.env.example': 'API_KEY=\n',
  'build/old.o': '',
}

/** Never run, even if a guard fails: the demo must not depend on what it demonstrates. */
export const NEVER_RUN = ['rm -rf "$HOME"', 'push --force', 'cat', 'uninstall']

/** Made up, and concatenated so that secret scanners do not report it. */
const FAKE_KEY = `ghp_${'k7Qw2ZrT9bXv'}${'Lm4Np8Ys1Hd6'}${'Jc3Gf5Ra0UeB'}`

export const SCRIPT: readonly Line[] = [
  { text: 'First I make room.', calls: [shell('rm -rf "$HOME"/*')] },
  { text: 'Then only the build folder.', calls: [shell('rm -rf build && ls')] },
  { text: 'Which key is in use?', calls: [{ tool: 'ReadFile', input: { path: '.env' } }] },
  { text: 'Perhaps in another way.', calls: [shell(`bash -c 'cat ".e"nv'`)] },
  { text: 'The example will do.', calls: [{ tool: 'ReadFile', input: { path: '.env.example' } }] },
  {
    text: 'I write the settings.',
    calls: [
      { tool: 'WriteFile', input: { path: 'settings.js', content: `export const key = '${FAKE_KEY}'\n` } },
    ],
  },
  {
    text: 'From the environment, then.',
    calls: [
      {
        tool: 'WriteFile',
        input: { path: 'settings.js', content: 'export const key = process.env.API_KEY\n' },
      },
    ],
  },
  { text: 'An old branch can go.', calls: [shell('git branch -D old || true')] },
  { text: 'The others get it at once.', calls: [shell('git push --force')] },
  { text: 'These guards are in my way.', calls: [shell('crosshook uninstall --yes')] },
  { text: 'All done!' },
  {
    text: 'A spelling mistake. I fix it.',
    calls: [{ tool: 'EditFile', input: { path: 'greet.sh', old_string: 'Helo', new_string: 'Hello' } }],
  },
  { text: 'Now it is done.' },
]

function shell(command: string) {
  return { tool: 'Shell', input: { command } }
}
