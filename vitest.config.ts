import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { ProofReporter } from './test/proof-reporter.ts'

export default defineConfig({
  // Examples import the package by its name, as its users do.
  resolve: {
    alias: [{ find: /^crosshook$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      'test/{agents,hub,managed,page,share,site}/**',
      'examples/integrations/**',
    ],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A condition that tests wait for may take long on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', new ProofReporter()],
  },
})
