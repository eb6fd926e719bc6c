// The rules that hold the page together, as a test: who may import whom, who alone knows Tauri, and that nothing is
// written which the content security policy would refuse.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../../src', import.meta.url))
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|svelte)$/.test(name))
  .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(SRC, name), 'utf8') }))

/** Layers, lowest first; a file imports from its own and from those below. */
const LAYERS = ['platform', 'shared', 'features', 'app']
const layerOf = (name: string) => LAYERS.indexOf(name.split('/')[0] ?? '')
const imports = ({ name, text }: { name: string; text: string }) =>
  [...text.matchAll(/(?:from|import)\s+'([^']+)'/g)].map(([, from = '']) => ({
    from,
    to: from.startsWith('.') ? relative(SRC, resolve(SRC, dirname(name), from)).replaceAll('\\', '/') : undefined,
  }))

/** Faults of a set of files: `who: what`. */
function faults(of: { name: string; text: string }[]): string[] {
  const found: string[] = []
  for (const file of of) {
    const layer = layerOf(file.name)
    const feature = /^features\/([^/]+)/.exec(file.name)?.[1]
    // The fake stands in for a shell: the folding of terms it shares with the views is the one thing it takes from above.
    const mayLookUp = file.name.startsWith('platform/fake/')
    for (const { from, to } of imports(file)) {
      if (from.startsWith('@tauri-apps/') && !file.name.startsWith('platform/') && file.name !== 'bindings.ts') found.push(`${file.name}: ${from}`)
      if (to === undefined) continue
      if (to === 'bindings' && !file.name.startsWith('platform/')) found.push(`${file.name}: ${from}`)
      const other = /^features\/([^/]+)/.exec(to)?.[1]
      if (feature !== undefined && other !== undefined && other !== feature) found.push(`${file.name}: ${from}`)
      if (layer >= 0 && layerOf(to) > layer && !mayLookUp) found.push(`${file.name}: ${from}`)
    }
    if (/<[a-z][^>]*\sstyle=/.test(file.text) || /\sstyle:[a-z-]+=/.test(file.text)) found.push(`${file.name}: inline style`)
    if (/\{@html|\beval\(|new Function\(/.test(file.text)) found.push(`${file.name}: runs text as code`)
  }
  return found
}

describe('layers', () => {
  test('platform ← shared ← features ← app, and no feature imports another', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(faults(files)).toEqual([])
  })

  test('a breach is seen', () => {
    const breach = (name: string, text: string) => faults([{ name, text }])
    expect(breach('shared/a.ts', "import { x } from '../features/search/rows'")).toHaveLength(1)
    expect(breach('features/search/a.ts', "import { x } from '../tasks/tasks.svelte'")).toHaveLength(1)
    expect(breach('features/search/a.ts', "import { invoke } from '@tauri-apps/api/core'")).toHaveLength(1)
    expect(breach('app/a.ts', "import { commands } from '../bindings'")).toHaveLength(1)
    expect(breach('app/A.svelte', '<p style="color: red">')).toHaveLength(1)
    expect(breach('app/A.svelte', '<p>{@html text}</p>')).toHaveLength(1)
  })

  test('every file says why it exists, and is short enough to be read at once', () => {
    for (const { name, text } of files.filter(({ name }) => name !== 'bindings.ts')) {
      expect(text.trimStart().startsWith('//') || text.trimStart().startsWith('<!--'), name).toBe(true)
      expect(text.split('\n').length, name).toBeLessThanOrEqual(420)
    }
  })
})

test('every message is there in both languages, and says something', async () => {
  const { en } = await import('../../src/shared/i18n/en')
  const { ja } = await import('../../src/shared/i18n/ja')
  const leaves = (of: object, at = ''): [string, unknown][] =>
    Object.entries(of).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null ? leaves(value, `${at}${name}.`) : ([[`${at}${name}`, value]] as [string, unknown][]),
    )
  const said = leaves(ja)
  expect(said.map(([name]) => name)).toEqual(leaves(en).map(([name]) => name))
  for (const [name, value] of said) if (typeof value === 'string') expect(value.trim(), name).not.toBe('')
})
