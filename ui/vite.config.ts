// How the page is built: plain files under dist/, nothing inline that the content security policy would refuse. The mode
// `fake` builds the same page on the fake platform, for tests and pictures.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  clearScreen: false,
  // The sample space lies outside this folder.
  server: { fs: { allow: ['..'] } },
  build: {
    target: ['safari17.4', 'chrome120'],
    // Every webview that we run in preloads modules by itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    ...(mode === 'fake' ? { rolldownOptions: { input: 'fake.html' } } : {}),
  },
}))
