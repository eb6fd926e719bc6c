// Measures the editor of records in the built app: how long a record of a megabyte takes to open, and how long each key
// press in it takes until it is painted, at its end and in its middle, while the checker and the draft keep pace. Figures
// of a debug build say little: give it a release build.
//
//     node tests/e2e/measureEditor.mjs KIROKU-DESKTOP KIROKU
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { childrenOf, inAFolder, inTheApp, KEY } from './webview.mjs'

const [program, cli] = process.argv.slice(2)
assert(program && cli, 'which programs?')
const WORDS = 'the words that are typed here are timed one by one until they are painted '
const FRONT = '---\nkind: rule\ndescription: A megabyte\nmodel_invokation: false\nuser_invocable: true\nlast_sources: []\ncreated_at: 2026-05-18T11:10:00+09:00\nupdated_at: 2026-07-02T11:30:00+09:00\n---\n\n# Big\n\n'
const PARAGRAPH = '一メガバイトの記録でも、打鍵は待たせません。**This line** is long enough to be a paragraph of its own; see #big and `code`.\n\n'

const percentile = (values, part) => values.toSorted((a, b) => a - b)[Math.ceil(part * values.length) - 1]
const ms = (values) => `${percentile(values, 0.5).toFixed(0)} | ${percentile(values, 0.95).toFixed(0)} | ${Math.max(...values).toFixed(0)}`

/** The processor's time that the page's process took so far, in milliseconds: a busy machine makes all else longer. */
function cpu(driver) {
  const app = childrenOf(driver).find(({ name }) => name.startsWith('kiroku'))
  const web = childrenOf(app.pid).find(({ name }) => name.startsWith('WebKitWebPro'))
  const stat = readFileSync(`/proc/${web.pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ').map(Number)
  return (stat[11] + stat[12]) * 10
}

/** In the page: from each key press to the end of the frame that paints it. */
function watch() {
  window.pressed = []
  document.addEventListener('keydown', ({ timeStamp, key }) => {
    if (key.length !== 1) return
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => window.pressed.push(performance.now() - timeStamp)
      port2.postMessage(0)
    })
  }, { capture: true })
}

const rows = []
await inAFolder(async (folder) => {
  const project = join(folder, 'big')
  await mkdir(join(project, 'knowledge'), { recursive: true })
  const bytes = Buffer.byteLength(PARAGRAPH)
  await writeFile(join(project, 'knowledge/big.md'), FRONT + PARAGRAPH.repeat(Math.ceil(1_000_000 / bytes)))
  await writeFile(join(project, 'knowledge/small.md'), `${FRONT}Small.\n`)
  const space = join(project, '.kiroku/space.db')
  execFileSync(resolve(cli), ['--space', space, 'space', 'new', '--name', 'Big', '--member', 'haruka'], { env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder } })
  await inTheApp({ program, environment: { LANG: 'ja_JP.UTF-8', GTK_THEME: 'Adwaita' }, data: join(folder, 'kiroku'), location: space }, async (page) => {
    await page.sees('the space', () => document.title.startsWith('Big'))
    // The editor's own code is read before what is timed.
    await page.run(() => (location.hash = 'knowledge?at=knowledge:small'))
    await page.sees('a text', () => document.querySelector('[data-editor-text]')?.shadowRoot?.textContent.includes('Small.'))
    const opened = await page.wait((done) => {
      const began = performance.now()
      location.hash = 'knowledge?at=knowledge:big'
      const look = () => {
        const text = document.querySelector('[data-editor="knowledge:big"] [data-editor-text]')?.shadowRoot?.querySelector('.cm-content')
        if (text?.textContent.includes('Big')) requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)))
        else requestAnimationFrame(look)
      }
      look()
    })
    rows.push(['a record of 1 MB opens, ms', `${opened.toFixed(0)} | |`])
    await page.sees('the form', () => document.querySelector('[data-form] [data-field]') !== null)
    await page.run(watch)
    for (const [record, where, keys] of [
      ['small', 'a short record', [KEY.control, KEY.end]],
      ['big', 'a record of 1 MB, at its beginning', [KEY.control, KEY.home]],
      ['big', 'a record of 1 MB, at its end', [KEY.control, KEY.end]],
    ]) {
      await page.run((record) => (location.hash = `knowledge?at=knowledge:${record}`), record)
      await page.sees('the text', (record) => document.querySelector(`[data-editor="knowledge:${record}"] [data-editor-text]`)?.shadowRoot?.querySelector('.cm-content') ?? false, record)
      await page.run(() => document.querySelector('[data-editor-text]').shadowRoot.querySelector('.cm-content').focus())
      await page.press(...keys)
      await page.frames()
      await page.run(() => void (window.pressed = []))
      const before = cpu(page.driver)
      // One at a time and at the pace of a quick typist, so that checks and drafts fall between the key presses.
      for (const letter of WORDS) {
        await page.keys(letter)
        await new Promise((wake) => setTimeout(wake, 60))
      }
      const times = await page.sees('every key press', (count) => window.pressed.length >= count && window.pressed, WORDS.length)
      rows.push([`a key press in ${where}, until it is painted, ms`, ms(times)])
      rows.push(['the processor’s time for each, ms', `${((cpu(page.driver) - before) / WORDS.length).toFixed(0)} | |`])
    }
  })
})

console.log('| what | p50 | p95 | max |\n| --- | --- | --- | --- |')
for (const [what, figures] of rows) console.log(`| ${what} | ${figures} |`)
