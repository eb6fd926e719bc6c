// Measures memory and knowledge in the built app over a folder of many records: how long until the table of all of them
// stands there, how it scrolls (no frame over 50 ms), and how soon a change by another program is seen. Prints one table.
// Figures of a debug build say little: give it a release build.
//
//     node tests/e2e/measureRecords.mjs KIROKU-DESKTOP KIROKU [HOW MANY RECORDS]
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { inAFolder, inTheApp } from './webview.mjs'

const [program, cli, count = '5000'] = process.argv.slice(2)
if (!program || !cli) throw new Error('which programs?')
const ROUNDS = 5
const FRAMES = 300

const percentile = (values, part) => values.toSorted((a, b) => a - b)[Math.ceil(part * values.length) - 1]
const ms = (values) => `${percentile(values, 0.5).toFixed(0)} | ${percentile(values, 0.95).toFixed(0)} | ${Math.max(...values).toFixed(0)}`

const record = (nth, about = '端数処理の決まり') => {
  const at = new Date(Date.UTC(2026, 0, 1) + nth * 3_600_000).toISOString()
  const head = `kind: ${['rule', 'research', 'howto'][nth % 3]}\ndescription: ${about} ${nth}\nmodel_invokation: false\nuser_invocable: true\nlast_sources: []`
  return `---\n${head}\ncreated_at: ${at}\nupdated_at: ${at}\n---\n\n# ${about} ${nth}\n\n${`See #record-${String((nth * 7) % Number(count)).padStart(5, '0')}. 本文です。\n`.repeat(5)}`
}

/** In the page: scrolls the table by a part of its height at each frame, and gives how long each frame took. */
function scroll(frames, done) {
  const list = document.querySelector('[role=grid]')
  const step = Math.max(120, Math.ceil((list.scrollHeight - list.clientHeight) / frames))
  const times = []
  let last
  const next = (now) => {
    if (last !== undefined) times.push(now - last)
    last = now
    list.scrollTop += step
    if (times.length < frames) requestAnimationFrame(next)
    else done(times)
  }
  requestAnimationFrame(next)
}

await inAFolder(async (folder) => {
  const knowledge = join(folder, 'knowledge')
  await mkdir(knowledge)
  for (let nth = 0; nth < Number(count); nth++) await writeFile(join(knowledge, `record-${String(nth).padStart(5, '0')}.md`), record(nth))
  const location = join(folder, '.kiroku/space.db')
  execFileSync(resolve(cli), ['--space', location, 'space', 'new', '--name', 'many', '--member', 'me'], { env: { PATH: process.env.PATH, LANG: 'en_US.UTF-8' } })
  await inTheApp({ program, environment: { LANG: 'ja_JP.UTF-8', GTK_THEME: 'Adwaita' }, location }, async (page) => {
    await page.sees('the space', () => document.title.startsWith('many'))
    const [opened, seen] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      await page.run(() => (location.hash = 'tasks'))
      await page.sees('another view', () => document.querySelector('[role=grid]') === null)
      // Nothing of the list is kept: a file has changed.
      await writeFile(join(knowledge, 'record-00000.md'), record(0, `round ${round}`))
      await page.frames()
      opened.push(
        await page.wait((done) => {
          const began = performance.now()
          location.hash = 'knowledge?sort=slug'
          const look = () => (document.querySelector('[role=row].record') ? done(performance.now() - began) : requestAnimationFrame(look))
          requestAnimationFrame(look)
        }),
      )
    }
    for (let round = 0; round < ROUNDS; round++) {
      const about = `changed ${round}`
      const watch = page.wait((about, done) => {
        const look = () => (document.querySelector('[role=row].record .about')?.textContent.startsWith(about) ? done(Date.now()) : requestAnimationFrame(look))
        look()
      }, about)
      const began = Date.now()
      await writeFile(join(knowledge, 'record-00000.md'), record(0, about))
      seen.push((await watch) - began)
    }
    const frames = await page.wait(scroll, FRAMES)
    console.log('| what | p50 | p95 | max |\n| --- | --- | --- | --- |')
    console.log(`| the table of ${count} records, from the key to its first rows, ms | ${ms(opened)} |`)
    console.log(`| a change by another program, from the write to the table, ms | ${ms(seen)} |`)
    console.log(`| a frame while the whole table is scrolled in ${FRAMES} of them, ms | ${ms(frames)} |`)
    const slow = frames.filter((time) => time > 50).length
    if (slow > 0) {
      console.log(`${slow} frames took more than 50 ms`)
      process.exitCode = 1
    }
  })
})
