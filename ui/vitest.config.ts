// Two kinds of test: `unit` needs nothing but Node; `flows` drives the page on the fake platform in headless Chromium, built
// once for all of them.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [svelte()],
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/unit/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'flows',
          include: ['tests/flows/*.test.ts'],
          globalSetup: 'tests/flows/setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // After the others, two at once: what two cores carry.
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
        },
      },
    ],
  },
})
