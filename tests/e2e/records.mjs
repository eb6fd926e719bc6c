// Memory and knowledge, in the real window: the table and the tree over files that others write too.
import assert from 'node:assert/strict'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { app, FIELD, kiroku, place, shoot } from './setup.mjs'
import { inAFolder, KEY } from './webview.mjs'

const RECORDS = fileURLToPath(new URL('../fixtures/sample-space', import.meta.url))

/** A space whose folder holds the sample's records. */
async function inASpace(work) {
  await inAFolder(async (folder) => {
    const project = join(folder, 'amber')
    await cp(RECORDS, project, { recursive: true })
    const location = join(project, '.kiroku/space.db')
    kiroku(['--space', location, 'space', 'new', '--name', 'こはく', '--member', 'haruka'])
    const file = (path) => readFile(join(project, path), 'utf8')
    await app({ data: join(folder, 'kiroku'), location }, async (page) => {
      await page.sees('the space', () => document.title.startsWith('こはく'))
      await work({ page, project, file })
    })
  })
}

// What is on the page, as functions that run there.
const slugs = () => [...document.querySelectorAll('[role=row].record .slug .cut')].map((cell) => cell.textContent)
const shows = (slug) => [...document.querySelectorAll('[role=row].record .slug .cut')].some((cell) => cell.textContent === slug)
const toast = () => document.querySelector('.toast')?.innerText ?? ''

async function table(page, view) {
  await page.run((view) => (location.hash = view), view)
  await page.sees('the table', () => document.querySelector('[role=row].record') !== null)
  await page.run(() => document.querySelector('[role=grid]').focus())
}
/** Moves the keys to a row. */
async function goTo(page, slug) {
  await page.press(KEY.home)
  await page.sees('the first row', (first) => document.querySelector('[role=row][aria-selected=true] .slug .cut')?.textContent === first, (await page.run(slugs))[0])
  for (let down = (await page.run(slugs)).indexOf(slug); down > 0; down--) await page.press(KEY.down)
  await page.sees(slug, (slug) => document.querySelector('[role=row][aria-selected=true] .slug .cut')?.textContent === slug, slug)
}
const undo = (page) => page.click('.toast button')

test('a record is renamed by the keyboard, and what refers to it follows, and back', () =>
  inASpace(async ({ page, file }) => {
    await table(page, 'knowledge')
    await shoot(page, 'knowledge')
    const [summary, record] = [await file('memory/summary.md'), await file('knowledge/tax-rounding.md')]
    await goTo(page, 'tax-rounding')
    await page.press('\uE032') // F2
    await page.sees('the dialog', () => document.activeElement?.closest('dialog') !== null)
    await page.clear('dialog input')
    await page.type('dialog input', 'tax-rules')
    await page.sees('what would change', () => [...document.querySelectorAll('dialog ins')].some((line) => line.textContent.includes('#tax-rules')))
    await shoot(page, 'rename')
    assert.equal(await file('memory/summary.md'), summary, 'nothing is written before it is asked for')
    await page.press(KEY.enter)
    await page.sees('the new name', shows, 'tax-rules')
    assert.equal(await file('memory/summary.md'), summary.replaceAll('#tax-rounding', '#tax-rules'))
    assert.equal(await file('knowledge/tax-rules.md'), record)
    await page.sees('the toast', () => document.querySelector('.toast') !== null)
    await undo(page)
    await page.sees('the old name', shows, 'tax-rounding')
    assert.equal(await file('memory/summary.md'), summary)
    assert.equal(await file('knowledge/tax-rounding.md'), record)
  }))

test('a record is deleted and brought back, byte for byte', () =>
  inASpace(async ({ page, project, file }) => {
    await table(page, 'knowledge')
    const before = await file('knowledge/island-shipping.md')
    await goTo(page, 'island-shipping')
    await page.press('\uE017') // Delete
    await page.sees('that it is gone', (slug) => ![...document.querySelectorAll('[role=row].record .slug .cut')].some((cell) => cell.textContent === slug), 'island-shipping')
    assert(!(await readdir(join(project, 'knowledge'))).includes('island-shipping.md'))
    assert.match(await page.run(toast), /island-shipping/)
    await undo(page)
    await page.sees('that it is back', shows, 'island-shipping')
    assert.equal(await file('knowledge/island-shipping.md'), before)
    // One that others refer to is not deleted before the person has seen them.
    await page.run(() => document.querySelector('[role=grid]').focus())
    await goTo(page, 'tax-rounding')
    await page.press('\uE017')
    await page.sees('who refers to it', () => document.querySelectorAll('dialog li').length > 0)
    await page.press(KEY.escape)
    await page.sees('no dialog', () => document.querySelector('dialog') === null)
    assert((await readdir(join(project, 'knowledge'))).includes('tax-rounding.md'))
  }))

test('what other programs write appears by itself, and what is read stays in its place', () =>
  inASpace(async ({ page, project, file }) => {
    await table(page, 'memory?sort=slug')
    const path = join(project, 'memory/decisions/totp-recovery.md')
    const text = await file('memory/decisions/totp-recovery.md')
    await writeFile(path, text.replace('status: open', 'status: resolved'))
    await page.sees('the new status', () => document.querySelector('[id$="decision-totp-recovery"] .resolved') !== null)
    await writeFile(join(project, 'memory/decisions/by-an-agent.md'), text)
    await page.sees('a new record', shows, 'by-an-agent')
    await rm(join(project, 'memory/decisions/by-an-agent.md'))
    await page.sees('that it is gone', () => ![...document.querySelectorAll('[role=row].record .slug .cut')].some((cell) => cell.textContent === 'by-an-agent'))
    // An open record follows its file.
    await goTo(page, 'totp-recovery')
    await page.press(KEY.enter)
    const shown = () => document.querySelector('[data-editor-text]')?.shadowRoot?.querySelector('.cm-content')?.innerText ?? ''
    await page.sees('the record', () => document.querySelector('[data-editor-text]')?.shadowRoot?.querySelector('.cm-content') != null)
    await shoot(page, 'memory-open')
    await writeFile(path, text.replace('# 二要素認証', '# 二段階の認証'))
    await page.sees('what was written', () => document.querySelector('[data-editor-text]').shadowRoot.querySelector('.cm-content').innerText.includes('二段階の認証'))
    assert.doesNotMatch(await page.run(shown), /# 二要素認証/)
  }))

test('a search reaches records, from the search of conversations and from the palette', () =>
  inASpace(async ({ page }) => {
    await page.sees('the field', (field) => document.querySelector(field) !== null, FIELD)
    await page.type(FIELD, '切り捨て')
    await page.sees('that records hold it', () => [...document.querySelectorAll('main button')].some((button) => /ナレッジに/.test(button.innerText)))
    await page.run(() => [...document.querySelectorAll('main button')].find((button) => /ナレッジに/.test(button.innerText)).click())
    await page.sees('the lines', () => document.querySelector('[role=option] mark')?.textContent === '切り捨て')
    assert.equal(await page.run(place), 'knowledge?q=切り捨て')
    await shoot(page, 'knowledge-search')
    await page.type(FIELD, KEY.down + KEY.enter)
    await page.sees('the record', () => document.querySelector('[data-editor-text]') !== null)
    await page.press(KEY.control, 'k')
    await page.sees('the palette', () => document.activeElement?.closest('dialog') !== null)
    await page.type('dialog input', 'keep-cookie')
    await page.sees('the record by its name', () => document.querySelector('dialog [role=option]')?.innerText.startsWith('keep-cookie-sessions'))
    await page.press(KEY.enter)
    await page.sees('the decision', () => location.hash.includes('decision%3Akeep-cookie-sessions') || location.hash.includes('decision:keep-cookie-sessions'))
  }))
