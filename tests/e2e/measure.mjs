// Measures the built app as a person feels it, on a space file: from the program's start to the first paint and to a
// window that can be used, from a key press to painted hits, what it holds in memory, and what it does while nobody does
// anything. Prints one table, with the bars of a space of 1,000,000 comments (p95). Figures of a debug build say little:
// give it a release build, and a space as `cargo xtask bench --comments 1000000 --keep` leaves one.
//
//     node tests/e2e/measure.mjs KIROKU-DESKTOP SPACE-FILE [WORD]...
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { childrenOf, inTheApp, KEY } from './webview.mjs'

const [program, space, ...given] = process.argv.slice(2)
assert(program && space, 'which program, and which space file?')
// Words whose last letter changes what is found.
const WORDS = given.length > 0 ? given : ['認証', 'セッション', 'rate', 'の']
const STARTS = 5
const ROUNDS = 5
const IDLE_S = 10
const FIELD = '[data-main-field]'
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** What a process's line in /proc says after its name; the first of these is its state. */
const stat = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ').map(Number)
/** When a process began, in milliseconds since 1970. */
function began(pid) {
  const up = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  return Date.now() - (up - stat(pid)[19] / TICKS) * 1000
}
const cpuSeconds = (pid) => (stat(pid)[11] + stat(pid)[12]) / TICKS
const megabytes = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/** The app's own process, and the one that shows its page. */
function processes(driver) {
  const app = childrenOf(driver).find(({ name }) => name.startsWith('kiroku'))
  const web = childrenOf(app.pid).find(({ name }) => name.startsWith('WebKitWebPro'))
  return { app: app.pid, web: web.pid, all: [app.pid, ...childrenOf(app.pid).map(({ pid }) => pid)] }
}

const percentile = (values, part) => values.toSorted((a, b) => a - b)[Math.ceil(part * values.length) - 1]
const ms = (values) => `${percentile(values, 0.5).toFixed(0)} | ${percentile(values, 0.95).toFixed(0)} | ${Math.max(...values).toFixed(0)}`

/** In the page: the time from the next key press to the paint of the first change of the list that holds an answer. */
function timeKey() {
  window.timed = undefined
  addEventListener('keydown', ({ timeStamp }) => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector('[data-list] [aria-live]')) return
      seen.disconnect()
      // After the frame that paints it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => (window.timed = performance.now() - timeStamp)
        port2.postMessage(0)
      })
    })
    seen.observe(document.querySelector('.columns'), { subtree: true, childList: true, characterData: true })
  }, { once: true, capture: true })
}

const rows = []
const [paints, usable] = [[], []]
const environment = { LANG: 'ja_JP.UTF-8', GTK_THEME: 'Adwaita' }
for (let start = 0; start < STARTS; start++) {
  await inTheApp({ program, environment, location: space }, async (page) => {
    await page.sees('the field', (field) => document.querySelector(field) !== null, FIELD)
    const seen = Date.now()
    const { app } = processes(page.driver)
    const origin = began(app)
    const paint = await page.sees('the first paint', () => {
      const entry = performance.getEntriesByName('first-contentful-paint')[0]
      return entry && performance.timeOrigin + entry.startTime
    })
    paints.push(paint - origin)
    usable.push(seen - origin)
  })
}
rows.push(['start to first paint, ms', ms(paints), '≤ 500'], ['start to a window that can be used (as soon as the driver sees it), ms', ms(usable), '≤ 1,000'])

await inTheApp({ program, environment, location: space }, async (page) => {
  await page.sees('the field', (field) => document.querySelector(field) !== null, FIELD)
  const of = processes(page.driver)
  const fresh = [megabytes(of.app), megabytes(of.web)]
  for (const word of WORDS) {
    const times = []
    for (let round = 0; round < ROUNDS; round++) {
      await page.clear(FIELD)
      await page.sees('an empty search', () => document.querySelector('[data-list] [aria-live]') === null)
      // The last letter is what is timed; those before it are answered first.
      if (word.length > 1) {
        await page.type(FIELD, word.slice(0, -1))
        await page.sees('an answer', () => document.querySelector('[data-list] [aria-live]') !== null)
        await page.sees('rest', () => document.querySelector('[role=progressbar]') === null)
        await page.frames()
      }
      await page.run(timeKey)
      await page.type(FIELD, word.at(-1))
      times.push(await page.sees('the answer', () => window.timed))
    }
    rows.push([`key press to painted hits, ${word}, ms`, ms(times), '≤ 100'])
  }
  await page.type(FIELD, KEY.enter)
  await page.sees('the conversation', () => document.querySelector('article[aria-current]') !== null)
  const searched = [megabytes(of.app), megabytes(of.web)]
  const idle = async () => {
    await page.frames()
    const before = of.all.map((pid) => cpuSeconds(pid))
    await new Promise((wake) => setTimeout(wake, IDLE_S * 1000))
    const shares = of.all.map((pid, nth) => (100 * (cpuSeconds(pid) - before[nth])) / IDLE_S)
    return `${shares[0].toFixed(1)} | ${shares.slice(1).reduce((sum, share) => sum + share, 0).toFixed(1)} |`
  }
  // Without a graphics processor each blink of the caret paints by the processor what is on the window.
  const blinking = await idle()
  await page.run(() => document.activeElement.blur())
  rows.push(
    ['memory of the app, MB: opened, searched', `${fresh[0].toFixed(0)} | ${searched[0].toFixed(0)} |`, '≤ 200'],
    ['memory of the web process, MB: opened, searched', `${fresh[1].toFixed(0)} | ${searched[1].toFixed(0)} |`, '≤ 400'],
    [`idle over ${IDLE_S} s, % of a core: the app, its web processes`, await idle(), '< 1'],
    ['the same while a caret blinks', blinking],
  )
})

console.log('| what | p50 | p95 | max | bar |\n| --- | --- | --- | --- | --- |')
for (const [what, figures, bar = ''] of rows) console.log(`| ${what} | ${figures.replace(/\|$/, '|  |').split('|').slice(0, 3).map((cell) => cell.trim()).join(' | ')} | ${bar} |`)
