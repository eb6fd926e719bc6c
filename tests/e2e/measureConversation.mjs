// Measures a conversation of 100,000 comments in the built app: from the choice of its task to its first painted comment,
// and the frames while it is scrolled; and the list of 40,000 tasks beside it: from what is asked to its first painted row.
// It makes its own space. Prints one table. Figures of a debug build
// say little: give it a release build.
//
//     node tests/e2e/measureConversation.mjs KIROKU-DESKTOP KIROKU [COMMENTS]
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { childrenOf, inAFolder, inTheApp } from './webview.mjs'

const [program, cli, comments = '100000'] = process.argv.slice(2)
assert(program && cli, 'which programs?')
const COUNT = Number(comments)
const TASKS = 40_000
const OPENINGS = 7
const FRAMES = 300
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const environment = { LANG: 'ja_JP.UTF-8', GTK_THEME: 'Adwaita', USER: 'haruka' }
const WORDS = ['認証', 'the cart', '税率', 'ログイン', 'rate limit', '画像', '在庫', 'the queue', '注文', 'the index']

/** One task of so many comments, a short one beside it, and many with none. */
function write(file) {
  const out = openSync(file, 'w')
  const row = (value) => `${JSON.stringify(value)}\n`
  writeSync(out, row({ type: 'kiroku', version: 1, space: '0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31' }))
  writeSync(out, row({ type: 'task', id: 1, title: '短い会話', state: 'completed' }) + row({ type: 'task', id: 2, title: '長い会話', state: 'running' }))
  writeSync(out, row({ type: 'comment', task: 1, author: 'user', kind: 'request', body: '短いです。', created: '2026-01-01T00:00:00Z' }))
  const begin = Date.parse('2026-02-01T00:00:00Z')
  for (let nth = 0; nth < COUNT; nth += 1_000) {
    let part = ''
    for (let one = nth; one < Math.min(COUNT, nth + 1_000); one++) {
      const word = WORDS[(one * 7) % WORDS.length]
      const sort = one % 10
      const said = { type: 'comment', task: 2, created: new Date(begin + one * 1000).toISOString(), body: `${one}: **${word}** を確認しました。${'続きの文がここにあります。'.repeat(one % 13)}` }
      if (sort === 0) part += row({ ...said, author: 'user', kind: 'request' })
      else if (sort === 9) part += row({ ...said, author: 'agent', kind: 'result', body: `${said.body}\n\n- 一つ目\n- 二つ目\n\n\`\`\`ts\nconst ${'a'.repeat(1 + (one % 9))} = ${one}\n\`\`\`` })
      else if (sort % 3 === 0) part += row({ ...said, author: 'agent', kind: 'progress', progress: 'tool', tool: 'Bash', body: '', input: { command: `ls ${one}` }, output: 'ok' })
      else part += row({ ...said, author: 'agent', kind: 'progress', progress: sort % 3 === 1 ? 'thinking' : 'summary' })
    }
    writeSync(out, part)
  }
  for (let nth = 0; nth < TASKS; nth += 1_000) {
    let part = ''
    for (let one = nth; one < nth + 1_000; one++) {
      const at = new Date(begin - one * 60_000).toISOString()
      part += row({ type: 'task', id: 10 + one, title: `${WORDS[one % WORDS.length]}の見直し ${one} – part of the work`, state: one % 7 === 0 ? 'running' : 'completed', created: at, updated: at })
    }
    writeSync(out, part)
  }
  closeSync(out)
}

const percentile = (values, part) => values.toSorted((a, b) => a - b)[Math.ceil(part * values.length) - 1]
const figures = (values) => `${percentile(values, 0.5).toFixed(0)} | ${percentile(values, 0.95).toFixed(0)} | ${Math.max(...values).toFixed(0)}`

/** Seconds of a processor that a process has used. */
function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ').map(Number)
  return (stat[11] + stat[12]) / TICKS
}

/** In the page: goes there, and gives the milliseconds to the paint of the comment at a place, counted from 1. */
function timeTo(hash, place, words, done) {
  const began = performance.now()
  location.hash = hash
  const look = () => {
    if (!document.querySelector(`article[aria-posinset="${place}"]`)?.textContent.includes(words)) return void requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done(performance.now() - began)
    port2.postMessage(0)
  }
  requestAnimationFrame(look)
}

/** In the page: goes there, and gives the milliseconds to the paint of a list whose first task's title holds `words`. */
function timeList(hash, words, done) {
  const began = performance.now()
  location.hash = hash
  const look = () => {
    if (!document.querySelector('[role=treeitem] .title')?.textContent.includes(words)) return void requestAnimationFrame(look)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done(performance.now() - began)
    port2.postMessage(0)
  }
  requestAnimationFrame(look)
}

/** In the page: scrolls by so much at each frame, so many frames, and gives the time of each frame. */
function timeScroll(by, frames, done) {
  const feed = document.querySelector('[role=feed]')
  const times = []
  let last
  const step = (now) => {
    if (last !== undefined) times.push(now - last)
    last = now
    if (times.length === frames) return void done(times)
    feed.scrollBy(0, by)
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

await inAFolder(async (folder) => {
  const space = join(folder, 'space.db')
  const kiroku = (args) => execFileSync(resolve(cli), args, { encoding: 'utf8', env: { PATH: process.env.PATH, LANG: 'en_US.UTF-8' } })
  kiroku(['--space', space, 'space', 'new', '--name', '長い', '--member', 'haruka'])
  write(join(folder, 'long.jsonl'))
  kiroku(['--space', space, 'import', '--from', 'kiroku', join(folder, 'long.jsonl')])
  const rows = []
  let over = 0
  await inTheApp({ program, environment, location: space }, async (page) => {
    await page.sees('the space', () => document.title.startsWith('長い'))
    await page.run(() => (location.hash = 'tasks?task=task:1'))
    await page.sees('the short one', () => document.querySelector('article')?.textContent.includes('短いです'))
    const lists = [[], []]
    for (let nth = 0; nth < OPENINGS; nth++) {
      lists[0].push(await page.wait(timeList, `tasks?title=見直し+${31_000 + nth}`, `${31_000 + nth}`))
      lists[1].push(await page.wait(timeList, `tasks?title=${WORDS[nth]}&state=running`, WORDS[nth]))
      await page.wait(timeList, 'tasks?title=短い会話', '短い')
    }
    rows.push([`a title among ${TASKS} tasks, ms`, lists[0]], ['a title and a state, ms', lists[1]])
    await page.wait(timeTo, 'tasks?task=task:1', 1, '短いです')
    const [openings, hits] = [[], []]
    for (let nth = 0; nth < OPENINGS; nth++) {
      openings.push(await page.wait(timeTo, 'tasks?task=task:2', 1, '0: '))
      await page.wait(timeTo, 'tasks?task=task:1', 1, '短いです')
      const place = Math.floor(COUNT * (0.1 + nth / 10))
      // The first comment of the space is the short task's.
      hits.push(await page.wait(timeTo, `tasks?task=task:2&at=comment:${place + 2}`, place + 1, `${place}: `))
      await page.wait(timeTo, 'tasks?task=task:1', 1, '短いです')
    }
    rows.push([`opening ${COUNT} comments at the beginning, ms`, openings], ['opening at a hit far in, ms', hits])
    await page.wait(timeTo, 'tasks?task=task:2', 1, '0: ')
    const app = childrenOf(page.driver).find(({ name }) => name.startsWith('kiroku')).pid
    const web = childrenOf(app).find(({ name }) => name.startsWith('WebKitWebPro')).pid
    const scroll = async (what, by) => {
      const before = cpuSeconds(web)
      const times = await page.wait(timeScroll, by, FRAMES)
      rows.push([`a frame, ${what} (${Math.abs(by)} px a frame), ms`, times])
      rows.push(['the same, of the processor on average', [(1000 * (cpuSeconds(web) - before)) / FRAMES]])
      over += times.filter((time) => time > 50).length
    }
    await scroll('reading', 120)
    await scroll('flying', 1_500)
    await page.run(() => document.querySelector('[role=feed]').scrollTo(0, 1e9))
    await page.sees('the end', (last) => [...document.querySelectorAll('article')].some((it) => it.textContent.includes(last)), `${COUNT - 1}`)
    await scroll('back from the end', -600)
  })
  console.log('| what | p50 | p95 | max |\n| --- | --- | --- | --- |')
  for (const [what, values] of rows) console.log(`| ${what} | ${figures(values)} |`)
  console.log(`| frames over 50 ms, of ${3 * FRAMES} | ${over} | | |`)
})
