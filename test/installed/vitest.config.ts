import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The program as a person installs it: agents' settings, repositories, any folder, terminals. `npm run test:installed`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/installed/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A condition that tests wait for may take long on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
  },
})
