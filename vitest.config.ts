import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Examples import the package by its name, as its users do.
  resolve: {
    alias: [{ find: /^crosshook$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/agents/**', 'examples/integrations/**'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // Real processes, sockets and clocks on machines that others use too: what fails once in the gate is tried again.
    retry: process.env.CI ? 2 : 0,
  },
})
