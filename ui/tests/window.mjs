// Opens the built app in its real webview, without a screen, and fails unless the page is there, in the person's
// language and colours, with the content security policy and frozen prototypes in force.
//
//     node ui/tests/window.mjs PROGRAM [FOLDER FOR SCREENSHOTS]
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const PATIENCE_MS = 60_000
const [program, pictures] = process.argv.slice(2)
assert(program, 'which program?')

/** Runs `work` until it gives something, for as long as we have patience: nothing here waits for a fixed time. */
async function until(what, work) {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const found = await work().catch(() => undefined)
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`)
    await new Promise((wake) => setTimeout(wake, 20))
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

/** One session of the app; `ask` sends it a command of the WebDriver protocol. */
async function inTheApp(environment, work) {
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
    const options = { binary: resolve(program), args: [] }
    const { sessionId } = await send('POST', '/session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    })
    try {
      const ask = (method, path, body) => send(method, `/session/${sessionId}${path}`, body)
      await work({
        run: (script) => ask('POST', '/execute/sync', { script, args: [] }),
        wait: (script) => ask('POST', '/execute/async', { script, args: [] }),
        picture: () => ask('GET', '/screenshot'),
      })
    } finally {
      await send('DELETE', `/session/${sessionId}`)
    }
  } finally {
    // A driver that is left behind holds our pipes open for ever.
    await Promise.all(started.reverse().map(ended))
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

const LOOKS = [
  { name: 'ja-light', locale: 'ja_JP.UTF-8', theme: 'Adwaita', says: '見つかった所の前後の会話を読みます', dark: false },
  { name: 'en-dark', locale: 'en_US.UTF-8', theme: 'Adwaita:dark', says: 'Read what was said around a hit', dark: true },
]

for (const look of LOOKS) {
  const environment = { LANG: look.locale, GTK_THEME: look.theme }
  await inTheApp(environment, async ({ run, wait, picture }) => {
    await until('the heading', () => run("return document.querySelector('h1')?.textContent.trim() === 'Kiroku 記録'"))
    assert.equal(await run('return document.title'), 'Kiroku 記録')
    assert.equal(await run('return document.documentElement.lang'), look.name.slice(0, 2))
    assert((await run("return document.querySelector('main').innerText")).includes(look.says))
    assert.equal(await run("return matchMedia('(prefers-color-scheme: dark)').matches"), look.dark)

    assert.equal(await run('return Object.isFrozen(Object.prototype)'), true, 'the prototype is not frozen')
    const directive = await wait(`const done = arguments[0]
      document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective), { once: true })
      const inline = document.createElement('script')
      inline.textContent = 'document.title = "broken"'
      document.head.append(inline)
      setTimeout(() => done('nothing'), ${PATIENCE_MS / 2})`)
    assert.match(directive, /^script-src/, 'an inline script was not refused')
    assert.equal(await run('return document.title'), 'Kiroku 記録')
    // Nothing of ours reaches past the window at its smallest.
    assert.equal(await run('return document.documentElement.scrollWidth <= innerWidth'), true)

    if (pictures) {
      await wait('const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))')
      await writeFile(join(pictures, `${look.name}.png`), Buffer.from(await picture(), 'base64'))
    }
  })
  console.log(`  ${look.name}: the window shows its page`)
}
