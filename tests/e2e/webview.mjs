// Drives the built app in its real webview, without a screen, over the WebDriver protocol: a display, a driver and a
// session for each run, all of them ended and what they wrote removed, however the run goes. A run fails when anything on
// the page broke, or was refused by the content security policy, and the run did not say that it expected this.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const PATIENCE_MS = 60_000
export const KEY = { enter: '\uE007', escape: '\uE00C', backspace: '\uE003', control: '\uE009', alt: '\uE00A', left: '\uE012', down: '\uE015', shift: '\uE008', home: '\uE011', end: '\uE010' }

/** Runs `work` until it gives something, for as long as we have patience: nothing here waits for a fixed time. */
export async function until(what, work) {
  const end = Date.now() + PATIENCE_MS
  for (let last; ; ) {
    const found = await work().catch((error) => void (last = error))
    if (found !== undefined && found !== false && found !== null) return found
    if (Date.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`, { cause: last })
    await new Promise((wake) => setTimeout(wake, 20))
  }
}

/** Runs `work` in a folder of its own, and removes that. */
export async function inAFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), 'kiroku-e2e-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function freePort() {
  return new Promise((found, failed) => {
    const server = createServer().on('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => found(port))
    })
  })
}

/** Ends a program of ours and waits until it is gone, so that it writes no more into the folder we remove. */
function ended(child) {
  const never = child.pid === undefined
  if (never || child.exitCode !== null || child.signalCode !== null) return undefined
  return new Promise((gone) => {
    child.once('exit', gone)
    child.kill()
  })
}

/** A display that chooses its own number and tells it on its fourth file descriptor. */
async function startDisplay(started) {
  const args = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp']
  const xvfb = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  started.push(xvfb)
  const number = await new Promise((found, failed) => {
    xvfb.on('error', failed).on('exit', (status) => failed(new Error(`Xvfb ended with ${status}`)))
    xvfb.stdio[3].once('data', (data) => found(String(data).trim()))
  })
  return `:${number}`
}

/** The processes that a process started: their ids and names. */
export function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? []
        return Number(parent) === pid ? [{ pid: Number(id), name }] : []
      } catch {
        return [] // gone meanwhile
      }
    })
}

/** A function runs in the page with the arguments given; a string is the body of one. */
const script = (code) => (typeof code === 'function' ? `return (${code})(...arguments)` : code)

/** Gathers what breaks in the page, and what the policy refuses, from the moment on in which the driver has the page. */
function watch() {
  const faults = (window.faults = [])
  document.addEventListener('securitypolicyviolation', (event) => faults.push(`policy: ${event.effectiveDirective} ${event.blockedURI}`))
  addEventListener('error', (event) => {
    // No fault: a list measured its rows and placed them anew, and the next frame hears of the rest.
    if (!event.message.startsWith('ResizeObserver loop')) faults.push(`error: ${event.message}`)
  })
  addEventListener('unhandledrejection', (event) => faults.push(`rejection: ${event.reason?.stack ?? event.reason}`))
  const say = console.error.bind(console)
  console.error = (...words) => {
    faults.push(`console: ${words.map((word) => word?.stack ?? word).join(' ')}`)
    say(...words)
  }
}

/** What a run does with the page. */
class Page {
  #ask
  constructor(ask, driver) {
    this.#ask = ask
    /** The driver's process, which started the app. */
    this.driver = driver
  }

  run = (code, ...args) => this.#ask('POST', '/execute/sync', { script: script(code), args })
  /** The last argument that the script gets is the function that it calls when it is done. */
  wait = (code, ...args) => this.#ask('POST', '/execute/async', { script: script(code), args })
  picture = () => this.#ask('GET', '/screenshot')
  /** Waits until the script gives something. */
  sees = (what, code, ...args) => until(what, () => this.run(code, ...args))
  /** Two frames, so that what was just placed is painted. */
  frames = () => this.wait((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
  /** What broke so far; it is forgotten by this. */
  faults = () => this.run(() => window.faults.splice(0))

  async #element(css) {
    return Object.values(await this.#ask('POST', '/element', { using: 'css selector', value: css }))[0]
  }
  /** Types into an element as a person does. */
  async type(css, text) {
    await this.#ask('POST', `/element/${await this.#element(css)}/value`, { text })
  }
  /** Empties a field as a person does: a field that is emptied by the protocol's own command tells nobody. */
  clear = (css) => this.type(css, `${KEY.control}a`).then(() => this.type(css, KEY.backspace))
  /** Clicks as a person does: where the pointer can't reach, this fails. */
  async click(css) {
    await this.#ask('POST', `/element/${await this.#element(css)}/click`, {})
  }
  /** Presses keys together, wherever the focus is. */
  async press(...keys) {
    const actions = [...keys.map((value) => ({ type: 'keyDown', value })), ...keys.toReversed().map((value) => ({ type: 'keyUp', value }))]
    await this.#ask('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }
  /** Types what a keyboard has, wherever the focus is: the driver presses no Shift by itself. */
  async keys(text) {
    const tap = (value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]
    const shifted = (value) => [{ type: 'keyDown', value: KEY.shift }, ...tap(value), { type: 'keyUp', value: KEY.shift }]
    const actions = [...text].flatMap((value) => (/[A-Z~!@#$%^&*()_+{}|:"<>?]/.test(value) ? shifted(value) : tap(value)))
    await this.#ask('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }
  /** Drags from the middle of one element to the upper half of another, with the pointer, and lets go. */
  async drag(from, to) {
    const places = (from, to) =>
      [from, to].map((css, nth) => {
        const { left, top, width, height } = document.querySelector(css).getBoundingClientRect()
        return { x: Math.round(left + width / 3), y: Math.round(top + height * (nth === 0 ? 0.5 : 0.25)) }
      })
    const [begin, end] = await this.run(places, from, to)
    const over = { x: Math.round((begin.x + end.x) / 2), y: Math.round((begin.y + end.y) / 2) }
    const move = ({ x, y }) => ({ type: 'pointerMove', duration: 20, origin: 'viewport', x, y })
    const actions = [move(begin), { type: 'pointerDown', button: 0 }, move(over), move(end), { type: 'pointerUp', button: 0 }]
    await this.#ask('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] })
  }
  async shoot(path) {
    await this.frames()
    await writeFile(path, Buffer.from(await this.picture(), 'base64'))
  }
}

/**
 * One session of the app. `environment` says at least `LANG`; `data` is the app's own directory (`--data-dir`), one that is
 * removed if none is given; `location` is where the app begins.
 */
export async function inTheApp({ program, environment, data, location }, work) {
  const started = []
  const home = await mkdtemp(join(tmpdir(), 'kiroku-window-'))
  try {
    // The webview speaks a language only if the C library has its locale, which a small system lacks.
    const [language, charset] = environment.LANG.split('.')
    execFileSync('localedef', ['-i', language, '-f', charset, join(home, environment.LANG)])
    const display = await startDisplay(started)
    const port = await freePort()
    const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        HOME: home,
        LOCPATH: home,
        XDG_RUNTIME_DIR: home, // mkdtemp made it 0700, as this must be
        XDG_DATA_HOME: join(home, 'data'),
        XDG_CONFIG_HOME: join(home, 'config'),
        DISPLAY: display,
        TAURI_WEBVIEW_AUTOMATION: 'true', // without it a new session hangs
        ...environment,
      },
    })
    started.push(driver)
    const base = `http://127.0.0.1:${port}`
    const send = async (method, path, body) => {
      const response = await fetch(base + path, {
        method,
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const { value } = await response.json()
      if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`)
      return value
    }
    await until('the driver', () => send('GET', '/status').then(() => true))
    const args = [`--data-dir=${data ?? join(home, 'app')}`, ...(location ? [location] : [])]
    const { sessionId } = await send('POST', '/session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': { binary: resolve(program), args } } },
    })
    const page = new Page((method, path, body) => send(method, `/session/${sessionId}${path}`, body), driver.pid)
    try {
      await page.run(watch)
      const result = await work(page)
      assert.deepEqual(await page.faults(), [], 'something broke on the page, or the policy refused it')
      return result
    } catch (error) {
      const shown = await page.run(() => `${location.hash}\n${[...window.faults, document.body.innerText].join('\n')}`).catch(String)
      throw new Error(`${error.message}\nThe page shows: ${shown}`, { cause: error })
    } finally {
      await send('DELETE', `/session/${sessionId}`)
    }
  } finally {
    // A driver that is left behind holds our pipes open for ever.
    await Promise.all(started.reverse().map(ended))
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}
