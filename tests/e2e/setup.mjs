// What the end-to-end tests share: the built app and the command line under test, and what is found on the page.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { inTheApp } from './webview.mjs'

const [program, cli, pictures] = process.argv.slice(2)
assert(program && cli, 'which programs?')
if (pictures) await mkdir(pictures, { recursive: true })

export const JAPANESE = { LANG: 'ja_JP.UTF-8', GTK_THEME: 'Adwaita', USER: 'haruka' }
export const DARK = { LANG: 'en_US.UTF-8', GTK_THEME: 'Adwaita:dark', USER: 'haruka' }
export const FIELD = '[data-main-field]'
export const HEADER = { type: 'kiroku', version: 1, space: '0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31' }

export const app = (of, work) => inTheApp({ program, environment: JAPANESE, ...of }, work)
/** The command line, with what it reads on standard input. */
export const kiroku = (args, input = '') => execFileSync(resolve(cli), args, { input, encoding: 'utf8', env: { PATH: process.env.PATH, LANG: 'en_US.UTF-8' } })
export const shoot = (page, name) => pictures && page.shoot(join(pictures, `${name}.png`))

// What is on the page, as functions that run there.
export const place = () => decodeURIComponent(location.hash.slice(1)).replaceAll('+', ' ')
export const hits = () => document.querySelectorAll('[role=option]').length
export const marks = () => [...document.querySelectorAll('[role=option] mark')].map((mark) => mark.textContent)
export const count = () => document.querySelector('[data-list] [aria-live]')?.textContent ?? null
export const settled = () => document.querySelector('[role=progressbar]') === null
export const articles = () => document.querySelectorAll('article').length

/** From the first run into the sample space. */
export async function intoTheSample(page) {
  await page.sees('the ways in', () => document.querySelectorAll('.way').length === 3)
  await page.click('.ways li:nth-child(3) .way')
  await page.sees('the field', (field) => document.querySelector(field) !== null, FIELD)
}

export async function search(page, words) {
  await page.clear(FIELD)
  await page.type(FIELD, words)
  await page.sees(`the answer to ${words}`, () => document.querySelector('[data-list] [aria-live], .notice') !== null)
}

/** A session of Claude Code: a request, and answers of which each says its number. */
export function session(cwd, id, length) {
  const sessionId = `6f0c2a4e-0000-4c1d-9a55-0d5f6a7b8c0${id}`
  const lines = Array.from({ length }, (_, n) => ({
    parentUuid: n === 0 ? null : `${id}-${n - 1}`,
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId,
    version: '2.1.4',
    type: n === 0 ? 'user' : 'assistant',
    message:
      n === 0
        ? { role: 'user', content: `琥珀の粒を数えてください（${id}）` }
        : { id: `m-${id}-${n}`, type: 'message', role: 'assistant', model: 'model-1', stop_reason: 'end_turn', content: [{ type: 'text', text: `琥珀の粒 ${n}` }] },
    uuid: `${id}-${n}`,
    timestamp: new Date(Date.UTC(2026, 5, 20, 10) + n * 1000).toISOString(),
  }))
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
