// The editor of records, by keyboard, on the fake platform: what is typed, what the form sets, what the checker says, and
// what becomes of it when somebody else writes the same file.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { place, until, visit } from './page'

const KNOWLEDGE = 'knowledge:tax-rounding'
const DECISION = 'decision:totp-recovery'
const REPLACED = 'decision:weekly-report-from-cron'
const FAULTY = 'decision:importer-keeps-numbers'

const text = '[data-editor-text] .cm-content'
const at = (ref: string) => `${ref.startsWith('knowledge') ? 'knowledge' : 'memory'}?at=${ref}`
const file = (page: Page, ref: string) => page.evaluate((ref) => window.fake.records.text(ref) ?? '', ref)
const write = (page: Page, ref: string, from: string, to: string) =>
  page.evaluate(([ref, from, to]) => window.fake.records.write(ref, (window.fake.records.text(ref) ?? '').replace(from, to)), [ref, from, to] as const)
const shown = (page: Page) => page.locator(text).innerText()
const unsaved = (page: Page) => page.locator('[data-editor] .unsaved')
const field = (page: Page, name: string) => page.locator(`[data-field=${name}]`)
const linesOf = (text: string) => text.split('\n')
/** The lines in which two texts differ, as `- before` and `+ after`. */
function changed(before: string, after: string): string[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  return [...a.filter((line) => !b.includes(line)).map((line) => `- ${line}`), ...b.filter((line) => !a.includes(line)).map((line) => `+ ${line}`)]
}

async function edit(ref: string, look: Parameters<typeof visit>[0] = {}) {
  const page = await visit({ hash: at(ref), ...look })
  await page.locator(text).waitFor()
  await page.locator('[data-form] [data-field], [data-form] .notice').first().waitFor()
  return page
}
async function toEnd(page: Page) {
  await page.locator(text).focus()
  await page.keyboard.press('Control+End')
}
/** Opens a menu by its button, by keyboard. */
async function menu(page: Page, button: import('playwright-core').Locator) {
  await button.focus()
  await page.keyboard.press('Enter')
  await until(page, () => document.activeElement?.closest('[role=menu]') !== null && document.activeElement?.hasAttribute('data-item') === true)
}
async function saved(page: Page) {
  await page.keyboard.press('Control+s')
  await unsaved(page).waitFor({ state: 'detached' })
}

describe('the text', () => {
  test('is marked as unsaved, saved by a key, and the time of the change is set', async () => {
    const page = await edit(KNOWLEDGE)
    const before = await file(page, KNOWLEDGE)
    expect(await unsaved(page).count()).toBe(0)
    await toEnd(page)
    await page.keyboard.type('Half a yen is cut/lost?')
    await unsaved(page).waitFor()
    expect(await file(page, KNOWLEDGE)).toBe(before)
    await saved(page)
    const after = await file(page, KNOWLEDGE)
    expect(changed(before, after)).toEqual([
      '- updated_at: 2026-07-02T11:30:00+09:00',
      '+ updated_at: 2026-08-20T06:00:00Z',
      '+ Half a yen is cut/lost?',
    ])
    // What came of the saving is in the text, and is nothing that could be undone; what was typed is.
    expect(await field(page, 'updated_at').locator('input').inputValue()).toContain('2026-08-20')
    await page.locator(text).focus()
    await page.keyboard.press('Control+z')
    await unsaved(page).waitFor()
    await saved(page)
    expect(changed(before, await file(page, KNOWLEDGE))).toEqual(['- updated_at: 2026-07-02T11:30:00+09:00', '+ updated_at: 2026-08-20T06:00:00Z'])
  })

  test('goes back to the file, and that can be undone', async () => {
    const page = await edit(KNOWLEDGE)
    await toEnd(page)
    await page.keyboard.type('Not meant.')
    await page.getByRole('button', { name: 'What can be done with this record' }).click()
    await page.getByRole('menuitem', { name: 'Revert to the file' }).click()
    await unsaved(page).waitFor({ state: 'detached' })
    expect(await shown(page)).not.toContain('Not meant.')
    await page.locator('.toast button', { hasText: 'Undo' }).click()
    await unsaved(page).waitFor()
    expect(await shown(page)).toContain('Not meant.')
  })

  test('keeps its undo history while the window lives, and leaving it says that nothing is lost', async () => {
    const page = await edit(KNOWLEDGE)
    await toEnd(page)
    await page.keyboard.type('To be thought over.')
    await page.evaluate(() => (location.hash = '#search'))
    await page.locator('.toast', { hasText: 'Unsaved changes in tax-rounding' }).waitFor()
    await page.locator('.toast button', { hasText: 'Go back' }).click()
    await page.locator(text).waitFor()
    expect(await shown(page)).toContain('To be thought over.')
    await page.locator(text).focus()
    await page.keyboard.press('Control+z')
    await unsaved(page).waitFor({ state: 'detached' })
  })

  test('a read-only file says so and takes nothing', async () => {
    const page = await edit('knowledge:restore-drill')
    expect(await page.locator('.banner').innerText()).toContain('Read-only')
    const before = await shown(page)
    await toEnd(page)
    await page.keyboard.type('x')
    expect(await shown(page)).toBe(before)
    expect(await unsaved(page).count()).toBe(0)
    expect(await page.locator(text).getAttribute('aria-readonly')).toBe('true')
  })

  test('a megabyte opens and takes what is typed', async () => {
    const page = await edit('knowledge:big', { more: { big: '1' } })
    await toEnd(page)
    await page.keyboard.type('The last line.')
    await saved(page)
    expect((await file(page, 'knowledge:big')).endsWith('The last line.')).toBe(true)
  })
})

describe('Japanese input', () => {
  test('lands once, and nothing is saved or kept in the middle of it', async () => {
    const page = await edit(KNOWLEDGE)
    const before = await file(page, KNOWLEDGE)
    await toEnd(page)
    const input = await page.context().newCDPSession(page)
    for (const step of ['き', 'きろ', 'きろく']) await input.send('Input.imeSetComposition', { text: step, selectionStart: step.length, selectionEnd: step.length })
    await until(page, () => (document.querySelector('[data-editor-text]')?.shadowRoot?.textContent ?? '').includes('きろく'))
    // A save that is asked for while it is composed waits for nobody: it is not meant yet.
    await page.evaluate(() => {
      const content = document.querySelector('[data-editor-text]')?.shadowRoot?.querySelector('.cm-content')
      content?.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, isComposing: true, bubbles: true, composed: true, cancelable: true }))
    })
    await page.evaluate(() => new Promise((done) => setTimeout(done, 400)))
    expect(await page.evaluate(() => window.fake.calls('saveRecord'))).toBe(0)
    expect(await page.evaluate(() => window.fake.calls('saveDraft'))).toBe(0)
    await input.send('Input.insertText', { text: '記録' })
    await until(page, () => window.fake.calls('saveDraft') > 0)
    await saved(page)
    const after = await file(page, KNOWLEDGE)
    expect(changed(before, after).slice(2)).toEqual(['+ 記録'])
  })
})

describe('the form', () => {
  test('changes its field’s line alone, and follows the text', async () => {
    const page = await edit(KNOWLEDGE)
    const before = await file(page, KNOWLEDGE)
    await field(page, 'kind').locator('input').focus()
    await page.keyboard.press('End')
    await page.keyboard.type('s')
    await unsaved(page).waitFor()
    await saved(page)
    expect(changed(before, await file(page, KNOWLEDGE))).toEqual([
      '- kind: rule',
      '- updated_at: 2026-07-02T11:30:00+09:00',
      '+ kind: rules',
      '+ updated_at: 2026-08-20T06:00:00Z',
    ])
    // The other way: what is typed in the text shows in the form.
    await page.keyboard.press('Control+Shift+E')
    await page.locator('[data-form]').waitFor({ state: 'detached' })
    await page.locator(text).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.type('-2')
    await page.keyboard.press('Control+Shift+E')
    await until(page, () => document.querySelector<HTMLInputElement>('[data-field=kind] input')?.value === 'rules-2')
  })

  test('a yes or no, a source, a time: each by keyboard', async () => {
    const page = await edit(KNOWLEDGE)
    const before = await file(page, KNOWLEDGE)
    await field(page, 'model_invokation').locator('input:checked').focus()
    await page.keyboard.press('ArrowRight')
    await unsaved(page).waitFor()
    await field(page, 'last_sources').locator('.remove').first().focus()
    await page.keyboard.press('Enter')
    await until(page, () => document.querySelectorAll('[data-field=last_sources] .chip').length === 1)
    await field(page, 'last_sources').getByRole('button', { name: 'Add a source' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('a-session')
    await page.keyboard.press('Tab')
    await page.keyboard.type('3')
    await page.keyboard.press('Tab')
    await page.keyboard.type('5')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await until(page, () => document.querySelectorAll('[data-field=last_sources] .chip').length === 2)
    await saved(page)
    const after = await file(page, KNOWLEDGE)
    expect(after).toContain('model_invokation: false')
    expect(after).toContain('session_id: a-session')
    expect(after.slice(after.indexOf('# '))).toBe(before.slice(before.indexOf('# ')))
  })

  test('frontmatter that can’t be read: the form says so, the text can be mended, the form comes back', async () => {
    const page = await edit('knowledge:returns')
    const notice = page.locator('[data-form] .notice')
    expect(await notice.innerText()).toContain('can’t be shown as a form')
    await notice.getByRole('button', { name: 'Go to the place' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('End')
    await page.keyboard.type('"')
    await page.keyboard.press('Home')
    for (let n = 0; n < 'description: '.length; n++) await page.keyboard.press('ArrowRight')
    await page.keyboard.type('"')
    await field(page, 'description').waitFor()
    expect(await field(page, 'description').locator('textarea').inputValue()).toBe('返品の受付: 送料の負担は理由で決まる')
  })

  test('a field that is refused says why and leaves the text alone', async () => {
    const page = await edit(KNOWLEDGE)
    await page.evaluate(() => window.fake.fail('setField', 'refused', 'Edit the file as text instead.'))
    await field(page, 'kind').locator('input').focus()
    await page.keyboard.type('x')
    await field(page, 'kind').locator('.note').waitFor()
    expect(await field(page, 'kind').locator('.note').innerText()).toContain('Edit the file as text instead.')
    expect(await unsaved(page).count()).toBe(0)
  })
})

describe('the life of a decision', () => {
  test('open, resolved, and replaced by another', async () => {
    const page = await edit(DECISION)
    const status = page.getByRole('button', { name: /^Status of the decision/ })
    expect(await status.innerText()).toContain('Open')
    await menu(page, status)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await until(page, () => document.querySelector('.facts .status')?.textContent?.includes('Resolved') ?? false)
    await menu(page, status)
    await page.keyboard.type('R')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Find a decision' }).waitFor()
    await page.keyboard.type('cookie')
    await page.keyboard.press('Enter')
    await page.locator('.facts .link', { hasText: 'keep-cookie-sessions' }).waitFor()
    await saved(page)
    const after = await file(page, DECISION)
    expect(after).toContain('status: replaced\n')
    expect(after).toContain('replaced_by: keep-cookie-sessions\n')
  })

  test('what replaced it is one step away', async () => {
    const page = await edit(REPLACED)
    await page.locator('.facts .link').click()
    expect(await place(page)).toBe('memory?at=decision:weekly-report-from-scheduler')
    await page.locator('[data-editor] .notice', { hasText: 'not here any more' }).waitFor()
  })
})

describe('where a record came from', () => {
  test('its sources open the conversation at the comment', async () => {
    const page = await edit(DECISION)
    await menu(page, page.getByRole('button', { name: /1 source/ }))
    await page.keyboard.press('Enter')
    expect(await place(page)).toMatch(/^tasks\?task=task:\d+&at=comment:\d+$/)
    await page.locator('article[aria-current]').waitFor()
  })

  test('the records that refer to it open', async () => {
    const page = await edit(KNOWLEDGE)
    await menu(page, page.getByRole('button', { name: /2 references/ }))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await place(page)).toBe('memory?at=decision:round-tax-once-per-rate')
  })
})

describe('problems', () => {
  test('are stepped through by a key, told, listed and mended', async () => {
    const page = await edit(FAULTY)
    expect(await page.locator('footer').innerText()).toMatch(/1 error/)
    await page.locator(text).focus()
    await page.keyboard.press('F8')
    expect(await page.locator('footer .told').innerText()).toContain('updated_at')
    await page.keyboard.press('F8')
    expect(await page.locator('footer .told').innerText()).toContain('Error')
    await page.keyboard.press('Shift+F8')
    expect(await page.locator('footer .told').innerText()).toContain('updated_at')
    await page.keyboard.press('Control+Shift+M')
    const items = page.locator('.problems li')
    await items.first().waitFor()
    expect(await items.count()).toBe(3)
    await items.nth(0).getByRole('button', { name: 'resolved', exact: true }).focus()
    await page.keyboard.press('Enter')
    await until(page, () => document.querySelectorAll('.problems li').length === 2)
    await saved(page)
    expect(await file(page, FAULTY)).toContain('status: resolved\n')
  })

  test('stand in the text, with their words and ways out on hover', async () => {
    const page = await edit(FAULTY)
    await page.locator(`${text} .cm-lintRange-warning`).hover()
    const tip = page.locator('.cm-tooltip-lint')
    await tip.waitFor()
    expect(await tip.innerText()).toContain('#shift-jis-imports')
    await tip.locator('.cm-diagnosticAction').first().click()
    await until(page, () => (document.querySelector('[data-editor-text]')?.shadowRoot?.textContent ?? '').includes('#shift-jis-import.'))
  })

  test('a person saves with errors, is warned and shown them', async () => {
    const page = await edit(DECISION)
    await page.locator(text).focus()
    await page.keyboard.press('Control+Shift+E')
    await page.locator('[data-form]').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Delete')
    await saved(page)
    expect(await page.locator('.banner').innerText()).toContain('Saved with 1 error')
    expect(await page.locator('.problems').innerText()).toContain('updated_at')
    expect(await file(page, DECISION)).not.toContain('updated_at')
  })

  test('a save that fails says so, keeps the text, and can be tried again', async () => {
    const page = await edit(KNOWLEDGE)
    await toEnd(page)
    await page.keyboard.type('Kept.')
    await page.evaluate(() => window.fake.fail('saveRecord', 'io', 'The disk is full.'))
    await page.keyboard.press('Control+s')
    await page.locator('.banner', { hasText: 'The disk is full.' }).waitFor()
    expect(await shown(page)).toContain('Kept.')
    await page.locator('.banner button').focus()
    await page.keyboard.press('Enter')
    await unsaved(page).waitFor({ state: 'detached' })
    expect(await file(page, KNOWLEDGE)).toContain('Kept.')
  })
})

describe('#slug', () => {
  test('is completed while it is typed', async () => {
    const page = await edit(KNOWLEDGE)
    await toEnd(page)
    await page.keyboard.type('See #passk')
    await page.locator('.cm-tooltip-autocomplete [aria-selected]', { hasText: 'passkeys-later' }).waitFor()
    // For 75 ms an Enter is not for the list: whoever was just about to press it did not choose.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
    await page.keyboard.press('Enter')
    expect(await shown(page)).toContain('See #passkeys-later')
    expect(await page.locator(`${text} .cm-mention-known`).innerText()).toBe('#passkeys-later')
  })

  test('is followed by a key and by a click, and shows what it means on hover', async () => {
    const page = await edit('decision:round-tax-once-per-rate')
    const mention = page.locator(`${text} .cm-mention-known`)
    await mention.hover()
    await page.locator('.cm-card', { hasText: '消費税の端数処理' }).waitFor()
    await mention.click({ modifiers: ['Control'] })
    expect(await place(page)).toBe(`knowledge?at=${KNOWLEDGE}`)
    await page.goBack()
    await page.locator(`${text} .cm-mention-known`).click()
    await page.keyboard.press('Control+Enter')
    expect(await place(page)).toBe(`knowledge?at=${KNOWLEDGE}`)
  })

  test('in code and in the frontmatter it is none', async () => {
    const page = await edit(KNOWLEDGE)
    await toEnd(page)
    await page.keyboard.type('`#passkeys-later`')
    await page.keyboard.press('Escape')
    expect(await page.locator(`${text} .cm-mention-known`).count()).toBe(0)
  })
})

describe('find and replace', () => {
  test('by keyboard, counted, and one undo takes all of it back', async () => {
    const page = await edit(KNOWLEDGE)
    const before = await shown(page)
    await page.locator(text).focus()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('税率')
    const count = page.locator('.find .count')
    await until(page, () => document.querySelector('.find .count')?.textContent === '– of 4')
    await page.keyboard.press('Enter')
    await until(page, () => document.querySelector('.find .count')?.textContent === '1 of 4')
    await page.keyboard.press('Shift+Enter')
    expect(await count.innerText()).toBe('4 of 4')
    await page.keyboard.press('Control+h')
    const instead = page.getByRole('textbox', { name: 'Replace with' })
    await instead.focus()
    await page.keyboard.type('消費税率')
    await page.keyboard.press('Control+Enter')
    await page.locator('.toast', { hasText: '4 places replaced' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.find').waitFor({ state: 'detached' })
    expect((await file(page, KNOWLEDGE)).match(/消費税率/g)).toBe(null)
    await page.keyboard.press('Control+z')
    await unsaved(page).waitFor({ state: 'detached' })
    expect((await shown(page)).includes(before.slice(-40))).toBe(true)
  })

  test('an expression that is none says so', async () => {
    const page = await edit(KNOWLEDGE)
    await page.locator(text).focus()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('(')
    await page.getByRole('button', { name: 'Regular expression' }).click()
    await until(page, () => document.querySelector('.find .count')?.textContent === 'This is no regular expression')
  })
})

describe('the preview', () => {
  test('follows what is typed, and its mentions lead to their records', async () => {
    const page = await edit('decision:round-tax-once-per-rate')
    await page.locator(text).focus()
    await page.keyboard.press('Control+Shift+P')
    const preview = page.locator('.preview')
    await preview.locator('h3, h1, h2').first().waitFor()
    await toEnd(page)
    await page.keyboard.type('\n**More** to <img src=x onerror=alert(1)> come.')
    await preview.locator('strong', { hasText: 'More' }).waitFor()
    expect(await preview.locator('img').count()).toBe(0)
    await preview.getByRole('link', { name: '#tax-rounding' }).focus()
    await page.keyboard.press('Enter')
    expect(await place(page)).toBe(`knowledge?at=${KNOWLEDGE}`)
  })
})

describe('somebody else writes the same file', () => {
  test('untouched here: the text follows', async () => {
    const page = await edit(KNOWLEDGE)
    await write(page, KNOWLEDGE, '# 税率と端数', '# 税率と端数の扱い')
    await until(page, () => (document.querySelector('[data-editor-text]')?.shadowRoot?.textContent ?? '').includes('端数の扱い'))
    expect(await unsaved(page).count()).toBe(0)
    expect(await page.locator('.banner').count()).toBe(0)
  })

  test('other lines: both are in the result, and in the file', async () => {
    const page = await edit(KNOWLEDGE)
    await toEnd(page)
    await page.keyboard.type('Mine.')
    await write(page, KNOWLEDGE, '# 税率と端数', '# 税率と端数の扱い')
    await page.locator('.banner', { hasText: 'changed while you were editing' }).waitFor()
    await page.keyboard.press('Control+s')
    await page.locator('dialog').waitFor()
    expect(await page.locator('dialog').innerText()).toContain('different lines')
    await page.getByRole('button', { name: 'Save the result' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await unsaved(page).waitFor({ state: 'detached' })
    const after = await file(page, KNOWLEDGE)
    expect(after).toContain('# 税率と端数の扱い')
    expect(after).toContain('Mine.')
  })

  const CLASH = 'クーポンは内訳の価額の比で按分する。'
  async function clash() {
    const page = await edit(KNOWLEDGE)
    await page.locator(`${text} .cm-line`, { hasText: CLASH }).click()
    await page.keyboard.press('End')
    await page.keyboard.type('Mine.')
    await write(page, KNOWLEDGE, CLASH, 'クーポンは合計から引く。Theirs.')
    await page.locator('.banner').waitFor()
    await page.locator('.banner .primary').focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog [data-merge] .cm-content').first().waitFor()
    return page
  }

  test.each([
    ['Yours', true, false],
    ['The file’s', false, true],
    ['Both', true, true],
  ] as const)('the same lines: %s', async (choice, mine, theirs) => {
    const page = await clash()
    // Nothing is saved before somebody chose.
    await page.locator('dialog footer .primary').click()
    expect(await page.locator('dialog footer').innerText()).toContain('1 place left to choose')
    await page.locator('dialog').getByRole('radio', { name: choice }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Save the result' }).focus()
    await page.keyboard.press('Enter')
    await unsaved(page).waitFor({ state: 'detached' })
    const after = await file(page, KNOWLEDGE)
    expect(after.includes('按分する。Mine.')).toBe(mine)
    expect(after.includes('Theirs.')).toBe(theirs)
    expect(after).not.toMatch(/^[<=>|]{7}/m)
  })

  test('the result can be written by hand, and a merge that is laid aside is there again', async () => {
    const page = await clash()
    await page.locator('dialog').getByRole('radio', { name: 'The file’s' }).focus()
    await page.keyboard.press('Space')
    await page.locator('dialog .cm-merge-b .cm-content').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('By hand.')
    await page.getByRole('button', { name: 'Later' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(await shown(page)).toContain('Mine.')
    await page.keyboard.press('Control+s')
    await page.locator('dialog .cm-merge-b .cm-content', { hasText: 'By hand.' }).waitFor()
    await page.getByRole('button', { name: 'Save the result' }).click()
    await unsaved(page).waitFor({ state: 'detached' })
    const after = await file(page, KNOWLEDGE)
    expect(after).toContain('By hand.')
    expect(after).toContain('Theirs.')
  })

  test('between the look and the save: the save answers, and leads to the merge', async () => {
    const page = await edit(KNOWLEDGE)
    await toEnd(page)
    await page.keyboard.type('Mine.')
    await page.evaluate(() => window.fake.hold('readRecord'))
    await write(page, KNOWLEDGE, '# 税率と端数', '# 税率と端数の扱い')
    await page.keyboard.press('Control+s')
    await page.locator('dialog [data-merge]').waitFor()
    await page.evaluate(() => window.fake.free('readRecord'))
    await page.getByRole('button', { name: 'Save the result' }).click()
    await unsaved(page).waitFor({ state: 'detached' })
    expect(await file(page, KNOWLEDGE)).toMatch(/扱い[\s\S]*Mine\./)
  })

  test('removed: the text can become the record again', async () => {
    const page = await edit(KNOWLEDGE)
    await toEnd(page)
    await page.keyboard.type('Mine.')
    await page.evaluate((ref) => window.fake.records.remove(ref), KNOWLEDGE)
    await page.getByRole('button', { name: 'Make the record again' }).focus()
    await page.keyboard.press('Enter')
    await unsaved(page).waitFor({ state: 'detached' })
    expect(await file(page, KNOWLEDGE)).toContain('Mine.')
  })

  test('removed and untouched: it says so', async () => {
    const page = await edit(KNOWLEDGE)
    await page.evaluate((ref) => window.fake.records.remove(ref), KNOWLEDGE)
    await page.locator('[data-editor] .notice', { hasText: 'not here any more' }).waitFor()
  })
})

describe('drafts', () => {
  test('are kept while typing, and dropped with the save', async () => {
    const page = await edit(KNOWLEDGE)
    await toEnd(page)
    await page.keyboard.type('Kept soon.')
    await until(page, () => window.fake.calls('saveDraft') > 0)
    await saved(page)
    await until(page, () => window.fake.calls('dropDraft') > 0)
  })

  test('one from before is restored, said, and can be discarded; that can be undone', async () => {
    const page = await visit({ hash: 'search' })
    await page.evaluate((ref) => window.fake.records.draft(ref, `${window.fake.records.text(ref) ?? ''}\nBefore the crash.\n`), KNOWLEDGE)
    await page.evaluate((to) => (location.hash = `#${to}`), at(KNOWLEDGE))
    await page.locator('.banner', { hasText: /Your draft from (?:.* )?14:31 was restored/ }).waitFor()
    expect(await shown(page)).toContain('Before the crash.')
    await unsaved(page).waitFor()
    await page.getByRole('button', { name: 'Discard the draft' }).focus()
    await page.keyboard.press('Enter')
    await unsaved(page).waitFor({ state: 'detached' })
    expect(await shown(page)).not.toContain('Before the crash.')
    await page.locator('.toast button', { hasText: 'Undo' }).click()
    await unsaved(page).waitFor()
  })

  test('one whose file changed since leads to the merge', async () => {
    const page = await visit({ hash: 'search' })
    await page.evaluate((ref) => window.fake.records.draft(ref, `${window.fake.records.text(ref) ?? ''}\nBefore the crash.\n`), KNOWLEDGE)
    await write(page, KNOWLEDGE, '# 税率と端数', '# 税率と端数の扱い')
    await page.evaluate((to) => (location.hash = `#${to}`), at(KNOWLEDGE))
    await page.locator('.banner .primary').click()
    await page.getByRole('button', { name: 'Save the result' }).click()
    await unsaved(page).waitFor({ state: 'detached' })
    expect(await file(page, KNOWLEDGE)).toMatch(/扱い[\s\S]*Before the crash\./)
  })

  test('one that can’t be kept is said before it is lost', async () => {
    const page = await edit(KNOWLEDGE)
    await page.evaluate(() => window.fake.fail('saveDraft', 'io', 'The disk is full.'))
    await toEnd(page)
    await page.keyboard.type('x')
    await page.locator('.banner', { hasText: 'could not be kept as a draft' }).waitFor()
  })
})

test('Escape leaves the text for the list', async () => {
  const page = await edit(KNOWLEDGE)
  await page.locator(text).focus()
  await page.keyboard.press('Escape')
  await until(page, () => document.activeElement?.closest('[data-editor]') === null)
})
