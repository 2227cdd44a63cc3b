import { defineConfig } from 'vitest/config'

/** The managed installation, as root in mounts of its own: `npm run test:managed`. */
export default defineConfig({
  test: {
    include: ['test/managed/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
  },
})
