import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { ProofReporter } from './test/proof-reporter.ts'

/**
 * Tests of these folders replace nothing of the modules that they import, so that one process runs many of their files and
 * imports the sources once: a third less time. `test/law.test.ts` holds them to it.
 */
const SHARED = [
  'acts',
  'ask',
  'builder',
  'cases',
  'dialects',
  'engine',
  'fast',
  'fleet',
  'history',
  'packs',
  'redact',
  'sign',
  'spec',
]
const shared = SHARED.map((folder) => `src/${folder}/**/*.test.ts`)

export default defineConfig({
  // Examples import the package by its name, as its users do.
  resolve: {
    alias: [{ find: /^crosshook$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }],
  },
  test: {
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      {
        extends: true,
        test: {
          name: 'own',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            'test/{agents,hub,managed,page,share,site}/**',
            'examples/integrations/**',
            ...shared,
          ],
        },
      },
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A condition that tests wait for may take long on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // Some tests wait for timers and processes: a third worker uses the time of two cores meanwhile.
    maxWorkers: 3,
    reporters: ['default', new ProofReporter()],
  },
})
