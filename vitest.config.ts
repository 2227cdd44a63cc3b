import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { ProofReporter } from './test/proof-reporter.ts'
import { replaces } from './test/replaces.ts'

const root = import.meta.dirname

/** These start many programs, which is slow in a large process, measure their process, or fill its memory. */
const ALONE = new RegExp(
  `^src/(${[
    'cli/new-files',
    'executors/(command|contract|detached|output|process|spawner)',
    'host/relay/(changes|crash|modules|protocol|relay|spawner)',
    'journal/sqlite/(crash|store|take-in)',
  ].join('|')})\\.test\\.ts$`,
)
/** All others in `src`: one process runs many of these files and imports the sources once, which halves their time. */
const together = globSync('src/**/*.test.ts', { cwd: root }).filter(
  (file) => !ALONE.test(file) && !replaces(readFileSync(join(root, file), 'utf8')),
)
/** Their texts of megabytes make a large process, in which the daemon of another test would find too little room for modules. */
const LARGE = /^src\/(acts|dialects|engine|executors\/input-file|fast|fleet|redact)\b/
const shared = together.filter((file) => !LARGE.test(file))
const large = together.filter((file) => LARGE.test(file))

export default defineConfig({
  // Examples import the package by its name, as its users do.
  resolve: {
    alias: [{ find: /^crosshook$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }],
  },
  test: {
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'large', include: large, isolate: false } },
      {
        extends: true,
        test: {
          // Vitest begins with the first name: these are the longest.
          name: 'alone',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'test/{agents,hub,installed,managed,page,release,share,site}/**',
            'examples/integrations/**',
            ...together,
          ],
        },
      },
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A condition that tests wait for may take long on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // Many tests wait for timers and processes: more workers use the time of two cores meanwhile.
    maxWorkers: 4,
    reporters: ['default', new ProofReporter()],
  },
})
