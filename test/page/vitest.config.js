import { defineConfig } from 'vitest/config';
/** The page in a real browser: `npm run test:page`. */
export default defineConfig({
    test: {
        root: new URL('../..', import.meta.url).pathname,
        include: ['test/page/**/*.test.ts'],
        testTimeout: 120000,
        hookTimeout: 120000,
        expect: { poll: { timeout: 30000 } },
        pool: 'forks',
        // One browser at a time: they are measured.
        maxWorkers: 1,
    },
});
