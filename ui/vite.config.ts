// How the page is built: plain files under dist/, nothing inline that the content security policy would refuse.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [svelte()],
  clearScreen: false,
  build: {
    target: 'safari17',
    // Every webview that we run in preloads modules by itself.
    modulePreload: { polyfill: false },
  },
})
