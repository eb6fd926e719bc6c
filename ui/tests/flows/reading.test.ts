import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { place, until, visit } from './page'

const feed = (page: Page) => page.getByRole('feed')
const article = (page: Page) => page.locator('article').first().waitFor()
const sought = (page: Page) => page.locator('article[aria-current]')
const status = (page: Page) => page.locator('.find [role=status]').innerText()
const outline = (page: Page) => page.getByRole('complementary', { name: 'Outline' })

async function find(page: Page, words: string) {
  await feed(page).focus()
  await page.keyboard.press('Control+f')
  await page.locator('.find input').fill(words)
}
/** Whether something stands within the conversation's frame. */
const inSight = (page: Page, css: string) =>
  page.waitForFunction((css) => {
    const [it, frame] = [document.querySelector(css)?.getBoundingClientRect(), document.querySelector('[role=feed]')?.getBoundingClientRect()]
    return it !== undefined && frame !== undefined && it.top >= frame.top - 1 && it.bottom <= frame.bottom + 1
  }, css)

describe('finding in a conversation', () => {
  test('counts, marks, steps by keys, opens what is folded, and goes back to where one was', async () => {
    const page = await visit({ hash: 'tasks?task=task:15' })
    await article(page)
    await find(page, 'pods')
    await sought(page).locator('pre mark').first().waitFor()
    expect(await status(page)).toMatch(/^1 of 3\s*in tool data$/)
    expect(await sought(page).locator('.what').innerText()).toContain('Tool')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.querySelector('.find [role=status]')?.textContent?.trim() === '2 of 3')
    expect(await sought(page).locator('mark').first().innerText()).toBe('pods')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.press('Shift+Enter')
    await page.waitForFunction(() => document.querySelector('.find [role=status]')?.textContent?.trim() === '3 of 3')
    await page.keyboard.press('Escape')
    await until(page, () => document.querySelector('.find') === null && document.querySelector('article mark') === null)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE')
  })

  test('words as they stand, across a line end, and nothing where there is nothing', async () => {
    const page = await visit({ hash: 'tasks?task=task:900', more: { talk: 'rich' } })
    await article(page)
    await find(page, 'ください。 表とコード')
    await page.waitForFunction(() => document.querySelector('.find [role=status]')?.textContent?.trim() === '1 of 1')
    await page.locator('.find input').fill('表とコードも ください')
    await page.waitForFunction(() => document.querySelector('.find [role=status]')?.textContent?.trim() === 'No match')
    expect(await page.getByRole('button', { name: 'Next match' }).isDisabled()).toBe(true)
  })

  test('among 100,000 comments, wherever it stands', async () => {
    const page = await visit({ hash: 'tasks?title=長い会話', more: { huge: '100000' } })
    await page.getByRole('treeitem').first().click()
    await article(page)
    await find(page, '77777: ')
    await sought(page).locator('mark').first().waitFor()
    expect(await status(page)).toBe('1 of 1')
    await inSight(page, 'article[aria-current] mark')
  })

  test('far down in one long text, and in what a tool gave back', async () => {
    const page = await visit({ hash: 'tasks?task=task:900', more: { talk: 'hostile' } })
    await article(page)
    await find(page, '終わりの言葉')
    await page.waitForFunction(() => document.querySelector('article[aria-current] mark')?.textContent === '終わりの言葉')
    await inSight(page, 'article[aria-current] mark')
  })

  test('a failure stands where the question was', async () => {
    const page = await visit({ hash: 'tasks?task=task:15' })
    await article(page)
    await page.evaluate(() => window.fake.fail('findInTask', 'busy', 'Another program holds the file.'))
    await find(page, 'pods')
    await page.locator('.find').getByText('Another program holds the file.').waitFor()
  })

  test('beside a search too, beyond the few comments that are shown', async () => {
    const page = await visit({ hash: 'search?q=確認しました&at=comment:1200', more: { huge: '3000' } })
    await sought(page).waitFor()
    await find(page, '2345: ')
    await page.waitForFunction(() => document.querySelector('article[aria-current] mark')?.textContent === '2345:')
  })
})

describe('the outline', () => {
  test('lists what was asked and what came of it, says where one is, and leads there by keys', async () => {
    const page = await visit({ hash: 'tasks?task=task:15', size: [1600, 900] })
    await article(page)
    await feed(page).focus()
    await page.keyboard.press('o')
    const options = outline(page).getByRole('option')
    await options.first().waitFor()
    expect(await options.count()).toBe(7)
    expect(await options.first().getAttribute('aria-current')).toBe('true')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await until(page, () => document.activeElement?.tagName === 'ARTICLE')
    await inSight(page, 'article:focus')
    expect(await page.locator('article:focus').innerText()).toContain('Hand-over')
    // From thing to thing without it.
    await page.keyboard.press('[')
    await until(page, () => document.querySelector('article:focus')?.textContent?.includes('Please prepare a hand-over') === true)
    await page.keyboard.press(']')
    await until(page, () => document.querySelector('article:focus')?.textContent?.includes('Hand-over for the report') === true)
  })

  test('leads anywhere in 100,000 comments', async () => {
    const page = await visit({ hash: 'tasks?title=長い会話', more: { huge: '100000' }, size: [1600, 900] })
    await page.getByRole('treeitem').first().click()
    await article(page)
    await page.getByRole('button', { name: 'Outline' }).click()
    await outline(page).getByRole('option').first().waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.locator('article:focus', { hasText: '99999:' }).waitFor()
    expect(await page.evaluate(() => window.fake.calls('conversation'))).toBeLessThan(12)
  })
})

describe('folding', () => {
  test('all steps open, and fold again', async () => {
    const page = await visit({ hash: 'tasks?task=task:15' })
    await article(page)
    const actions = page.getByRole('button', { name: 'Actions for this task' })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Open every step' }).click()
    await until(page, () => document.querySelectorAll('article').length > 3 && document.querySelector('article .line') === null)
    await actions.click()
    await page.getByRole('menuitem', { name: 'Fold every step' }).click()
    await page.locator('article .line').first().waitFor()
  })

  test('what a tool was given is read by its fields', async () => {
    const page = await visit({ hash: 'tasks?task=task:900', more: { talk: 'rich' } })
    await page.locator('.line', { hasText: 'Edit' }).click()
    await page.locator('article dl dt').first().waitFor()
    expect(await page.locator('article dl dt').allInnerTexts()).toEqual(['file_path', 'old_string', 'new_string', 'replace_all'])
    await page.locator('pre .keyword').first().waitFor()
    // Colours of a terminal are none of a page.
    expect(await page.locator('section[aria-label=Answered] pre').innerText()).toBe('ok  1 file changed')
  })
})

describe('growing', () => {
  test('what comes in waits below, and what is read does not move', async () => {
    const page = await visit({ hash: 'tasks?task=task:15&at=comment:123' })
    await page.goto(`${page.url().split('#')[0]}#tasks?task=task:15`)
    await article(page)
    await feed(page).evaluate((it) => it.scrollTo(0, 100))
    const shown = () => page.evaluate(() => [...document.querySelectorAll('article')].slice(0, 6).map((it) => `${it.textContent?.slice(0, 40)} ${Math.round(it.getBoundingClientRect().top)}`))
    await until(page, () => (document.querySelector('[role=feed]')?.scrollTop ?? 0) === 100)
    const before = await shown()
    await page.evaluate(() => [1, 2, 3].forEach((n) => window.fake.write({ task: 15, body: `続き ${n}` })))
    await page.getByRole('button', { name: '3 new' }).waitFor()
    expect(await shown()).toEqual(before)
    await page.getByRole('button', { name: '3 new' }).click()
    await page.locator('article', { hasText: '続き 3' }).waitFor()
    await until(page, () => document.querySelector('.reading .waiting') === null)
  })

  test('what is forgotten above does not move it either', async () => {
    const page = await visit({ hash: 'tasks?title=長い会話', more: { huge: '3000' } })
    await page.getByRole('treeitem').first().click()
    await article(page)
    await find(page, '1500: ')
    await page.locator('article[aria-current] mark').waitFor()
    await page.keyboard.press('Escape')
    const top = () => page.evaluate(() => [...document.querySelectorAll('article')].find((it) => it.textContent?.includes('1500: '))?.getBoundingClientRect().top)
    await until(page, () => document.querySelector('.find') === null)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    const before = await top()
    const first = await page.evaluate(() => document.querySelector('article')?.dataset['ref'])
    const reads = await page.evaluate(() => window.fake.calls('conversation'))
    await page.evaluate(() => window.fake.write({ task: 1, body: 'elsewhere' }))
    // The comments of the long conversation are numbered one after the other: the ten-th from its beginning goes.
    await page.evaluate(({ first }) => window.fake.forget(`comment:${Number(first?.split(':')[1]) - 1_400}`), { first })
    await page.waitForFunction((reads) => window.fake.calls('conversation') > reads, reads)
    await page.locator('article', { hasText: '1500: ' }).waitFor()
    await page.waitForFunction((was) => Math.abs(([...document.querySelectorAll('article')].find((it) => it.textContent?.includes('1500: '))?.getBoundingClientRect().top ?? 0) - (was ?? 0)) < 3, before)
  })
})

describe('taking along', () => {
  test('a conversation as a Markdown file, without secrets by itself', async () => {
    const page = await visit({ hash: 'tasks?task=task:12' })
    await article(page)
    await page.getByRole('button', { name: 'Actions for this task' }).click()
    await page.getByRole('menuitem', { name: 'Save as Markdown' }).click()
    expect(await page.getByRole('checkbox', { name: 'Leave secrets out' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Choose a file' }).click()
    await page.getByText('Saved to /home/haruka/task-12.md').waitFor()
    expect(Object.keys(await page.evaluate(() => window.fake.saved()))).toEqual(['/home/haruka/task-12.md'])
  })

  test('a failure keeps the question open', async () => {
    const page = await visit({ hash: 'tasks?task=task:12' })
    await article(page)
    await page.evaluate(() => window.fake.fail('exportConversation', 'io', 'The disk is full.'))
    await page.getByRole('button', { name: 'Actions for this task' }).click()
    await page.getByRole('menuitem', { name: 'Save as Markdown' }).click()
    await page.getByRole('button', { name: 'Choose a file' }).click()
    await page.getByRole('dialog').getByText('The disk is full.').waitFor()
  })

  test('a record of what was said, with its source; a toast leads to it', async () => {
    const page = await visit({ hash: 'tasks?task=task:12&at=comment:88' })
    await sought(page).waitFor()
    await until(page, () => document.querySelector('article[tabindex="0"]') !== null)
    await sought(page).focus()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Decision').click()
    await until(page, () => [...document.querySelectorAll<HTMLInputElement>('dialog input:not([type=radio])')].every((it) => it.value !== ''))
    await dialog.getByLabel('File name').fill('Keep it')
    await dialog.getByText('Small letters, digits').waitFor()
    expect(await dialog.getByRole('button', { name: 'Make the record' }).isDisabled()).toBe(true)
    await dialog.getByLabel('File name').fill('keep-the-flow')
    await dialog.getByRole('button', { name: 'Make the record' }).click()
    await page.getByText('Made the record keep-the-flow').waitFor()
    const text = await page.evaluate(() => window.fake.records.text('decision:keep-the-flow'))
    expect(text).toMatch(/^---\n[\s\S]*sources:[\s\S]*\n---\n\n?# 既存の認証フローは変更しないでください/)
    await page.locator('.toast').getByRole('button', { name: 'Open' }).click()
    await until(page, () => location.hash.includes('memory'))
    expect(await place(page)).toContain('at=decision:keep-the-flow')
  })

  test('a name that is taken is said, and nothing is lost', async () => {
    const page = await visit({ hash: 'tasks?task=task:12&at=comment:88' })
    await sought(page).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Make a record' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Decision').click()
    await dialog.getByLabel('File name').fill('keep-cookie-sessions')
    await dialog.getByRole('button', { name: 'Make the record' }).click()
    await dialog.getByText('The record was not made').waitFor()
    expect(await dialog.getByLabel('Text (Markdown)').inputValue()).toContain('既存の認証フロー')
  })
})
