// Svelte's own settings, read by Vite and by svelte-check: runes everywhere, no legacy mode.
export default {
  compilerOptions: { runes: true },
}
