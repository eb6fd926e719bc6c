// The page on the fake platform in headless Chromium, as the app's webview would run it: under the content security policy
// of tauri.conf.json, with frozen prototypes. Tests and the tour stand on this.
import { createServer } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { build } from 'vite'

const UI = fileURLToPath(new URL('..', import.meta.url))
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
]

/** Builds the page, serves it on a port of its own and starts the browser; `close` ends all of it. */
export async function begin() {
  const dir = await mkdtemp(join(tmpdir(), 'kiroku-page-'))
  await build({ root: UI, mode: 'fake', logLevel: 'error', build: { outDir: dir, emptyOutDir: true, chunkSizeWarningLimit: 2000 } })
  const conf = JSON.parse(await readFile(join(UI, '../tauri.conf.json'), 'utf8'))
  const policy = Object.entries(conf.app.security.csp)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://page').pathname)
    try {
      const body = await readFile(join(dir, path))
      response.writeHead(200, {
        'content-type': `${TYPES[extname(path)] ?? 'application/octet-stream'}; charset=utf-8`,
        'content-security-policy': policy,
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  // A server, so that tests in other processes can use the one browser.
  const running = await chromium.launchServer({ executablePath: CHROMIUM, headless: true, args: FLAGS })
  return {
    base: `http://127.0.0.1:${address.port}/fake.html`,
    endpoint: running.wsEndpoint(),
    browser: await chromium.connect(running.wsEndpoint()),
    async close() {
      await running.close()
      await new Promise((closed) => server.close(closed))
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/**
 * @typedef {object} Look how a page begins
 * @property {string} [begin] `open`, `none`, `first-run`, `empty`, `broken`, `newer`
 * @property {string} [lang]
 * @property {'light' | 'dark'} [theme]
 * @property {[number, number]} [size]
 * @property {string} [hash] the place in the page
 * @property {Record<string, string>} [more] more for the fake platform
 */

/**
 * Opens the page; what breaks in it, or breaks the policy, is gathered in `faults`.
 * @param {{ base: string, browser: import('playwright-core').Browser }} where
 * @param {Look} look
 */
export async function open({ base, browser }, { begin = 'open', lang = 'en', theme = 'light', size = [1280, 800], hash = '', more = {} } = {}) {
  const context = await browser.newContext({
    viewport: { width: size[0], height: size[1] },
    colorScheme: theme,
    locale: lang === 'ja' ? 'ja-JP' : 'en-GB',
    timezoneId: 'Asia/Tokyo',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  /** @type {string[]} */
  const faults = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.addInitScript(() => {
    Object.freeze(Object.prototype)
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    )
  })
  const query = new URLSearchParams({ begin, lang, theme, ...more })
  await page.goto(`${base}?${query}${hash && `#${hash}`}`)
  return { page, faults, close: () => context.close() }
}
