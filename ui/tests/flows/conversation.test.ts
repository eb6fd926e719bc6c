import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { field, place, until, visit } from './page'

const articles = (page: Page) => page.locator('article')
const feed = (page: Page) => page.getByRole('feed')

describe('drilling down', () => {
  test('the hit, a few around it, more at a press, up to the whole', async () => {
    const page = await visit({ hash: 'search?q=確認しました&at=comment:1200', more: { huge: '3000' } })
    await page.locator('article[aria-current]').waitFor()
    expect(await articles(page).count()).toBe(9)
    // Enough below it that nothing has to give way.
    await page.getByRole('button', { name: '20 later' }).click()
    await page.getByRole('button', { name: '20 later' }).click()
    await until(page, () => document.querySelectorAll('article').length > 12)
    const top = (await page.locator('article[aria-current]').boundingBox())?.y ?? 0
    const earlier = page.getByRole('button', { name: '20 earlier' })
    const left = await earlier.innerText()
    await earlier.click()
    // What is read stays where it is while more comes in above it.
    await page.waitForFunction((was) => document.querySelector('.before')?.textContent?.includes(was) === false, left)
    await page.waitForFunction((was) => Math.abs((document.querySelector('article[aria-current]')?.getBoundingClientRect().y ?? 0) - was) < 3, top)
    await page.getByRole('button', { name: 'Whole conversation' }).first().click()
    await feed(page).focus()
    await page.keyboard.press('End')
    await articles(page).filter({ hasText: '2999:' }).waitFor()
    await page.keyboard.press('Home')
    await articles(page).filter({ hasText: '0: 認証' }).first().waitFor()
    expect(await articles(page).count()).toBeLessThan(80)
  })

  test('the hit is told apart, and the words are marked in the raw comment', async () => {
    const page = await visit({ hash: 'search?q=認証&at=comment:88' })
    const hit = page.locator('article[aria-current]')
    expect(await hit.locator('mark').allInnerTexts()).toEqual(['認証'])
    expect(await hit.locator('.who').innerText()).toBe('藤沢 遥')
  })

  test('stepping through the hits while reading', async () => {
    const page = await visit({ hash: 'search?q=認証&at=comment:95' })
    await page.locator('article[aria-current]').waitFor()
    await feed(page).focus()
    await page.keyboard.press(']')
    await page.waitForFunction(() => !location.hash.includes('comment%3A95'))
    await page.keyboard.press('[')
    await page.waitForFunction(() => location.hash.includes('comment%3A95'))
  })

  test('work is folded to a line, and opens to what the tool was given and gave back', async () => {
    const page = await visit({ hash: 'tasks?task=task:15' })
    const line = page.locator('.line', { hasText: 'Bash' }).first()
    await line.click()
    await page.locator('article pre').first().waitFor()
    expect(await page.locator('article pre').allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining('pods')]))
    await page.getByRole('button', { name: 'Fold' }).click()
    await until(page, () => document.querySelector('article pre') === null)
  })

  test('a ref that leads nowhere is said, with a way to try again', async () => {
    const page = await visit({ hash: 'search?q=認証&at=comment:99999' })
    await page.getByRole('alert').getByText('comment:99999 is not here.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor()
  })
})

describe('a conversation of 100,000 comments', () => {
  test('opens at its end and scrolls with few rows in the page', async () => {
    const page = await visit({ hash: 'tasks?title=長い会話', more: { huge: '100000' } })
    await page.getByRole('treeitem').first().click()
    await articles(page).first().waitFor()
    await feed(page).focus()
    await page.keyboard.press('End')
    await articles(page).filter({ hasText: '99999:' }).waitFor()
    for (let turn = 0; turn < 20; turn++) await feed(page).evaluate((it) => new Promise((done) => (it.scrollBy(0, -3_000), requestAnimationFrame(done))))
    await until(page, () => document.querySelectorAll('article').length > 3)
    expect(await articles(page).count()).toBeLessThan(80)
    expect(await page.evaluate(() => window.fake.calls('conversation'))).toBeLessThan(40)
  })
})

describe('what others write', () => {
  test('comes in at the end, tinted, and nothing moves', async () => {
    const page = await visit({ hash: 'tasks?task=task:12' })
    await articles(page).first().waitFor()
    await page.evaluate(() => window.fake.write({ task: 12, body: 'いま書かれた言葉' }))
    await page.locator('article.fresh', { hasText: 'いま書かれた言葉' }).waitFor({ state: 'attached' })
  })
})

describe('forgetting', () => {
  test('says what still holds it, and is the one thing that is asked first', async () => {
    const page = await visit({ hash: 'tasks?task=task:12&at=comment:88' })
    await page.locator('article[aria-current]').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Forget' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The agent’s own session file').waitFor()
    await dialog.locator('.paths li').first().waitFor()
    await dialog.getByText('A passage in this comment').click()
    const forget = dialog.getByRole('button', { name: 'Forget', exact: true })
    expect(await forget.isDisabled()).toBe(true)
    await dialog.locator('textarea').fill('これは書かれていない')
    await dialog.getByText('This passage is not in the comment.').waitFor()
    await dialog.locator('textarea').fill('既存の認証フロー')
    await forget.click()
    await page.getByText('[forgotten]').waitFor()
    await page.getByText('made before still hold it').waitFor()
  })

  test('a forgotten task is no longer the place', async () => {
    const page = await visit({ hash: 'tasks?task=task:12' })
    await articles(page).first().waitFor()
    await page.getByRole('button', { name: 'Actions for this task' }).click()
    await page.getByRole('menuitem', { name: 'Forget' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click()
    await until(page, () => !location.hash.includes('task%3A12'))
    expect(await place(page)).toBe('tasks')
  })
})

describe('tasks', () => {
  test('by state and by title, read by keys', async () => {
    const page = await visit({ hash: 'tasks' })
    await page.getByRole('treeitem').first().waitFor()
    await page.getByText('Open', { exact: true }).click()
    await page.getByText('6 tasks').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('Importer')
    await page.getByText('1 task', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await articles(page).first().waitFor()
    expect(await place(page)).toMatch(/^tasks\?state=open&title=Importer&task=task:\d+$/)
  })

  test('subtasks stand under their task, and open by the arrow keys', async () => {
    const page = await visit({ hash: 'tasks?title=ログイン画面の改修' })
    // Where words are asked for, whatever fits stands by itself.
    await page.getByRole('treeitem').first().click()
    await page.locator(field).fill('')
    const tree = page.getByRole('tree')
    await page.locator('[role=treeitem][aria-expanded=false]').first().waitFor()
    await tree.focus()
    await until(page, () => document.querySelector('[role=treeitem][aria-selected=true]')?.getAttribute('aria-expanded') === 'false')
    await page.keyboard.press('ArrowRight')
    await page.locator('[aria-level="2"]', { hasText: 'スクリーンショット比較' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await until(page, () => document.querySelector('[role=treeitem][aria-selected=true]')?.getAttribute('aria-level') === '2')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await until(page, () => document.querySelector('[aria-level="2"]') === null)
  })

  test('words of a title in any order, and another order of the list', async () => {
    const page = await visit({ hash: 'tasks' })
    await page.getByRole('treeitem').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('shops importer')
    await page.getByText('1 task', { exact: true }).waitFor()
    await page.locator(field).fill('')
    await page.getByRole('button', { name: 'Last change' }).click()
    await page.getByRole('menuitemradio', { name: 'Title' }).click()
    await page.getByText('Accessibility audit of the cart and checkout').first().waitFor()
    expect(await place(page)).toBe('tasks?sort=title')
    const titles = await page.locator('[role=treeitem] .title').allInnerTexts()
    expect(titles.slice(0, 5)).toEqual(titles.slice(0, 5).toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
  })

  test('one that fits nothing offers all', async () => {
    const page = await visit({ hash: 'tasks?title=どこにもない' })
    await page.getByRole('button', { name: 'Show all tasks' }).click()
    await page.getByText('44 tasks').waitFor()
  })

  test('a failure can be tried again', async () => {
    const page = await visit({ hash: 'settings' })
    await page.evaluate(() => window.fake.fail('tasks', 'busy', 'Another program holds the file.'))
    await page.keyboard.press('Control+2')
    await page.getByRole('alert').getByText('Another program holds the file.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('44 tasks').waitFor()
  })

  test('its pins can be taken off, and put back', async () => {
    const page = await visit({ hash: 'tasks?task=task:12' })
    await page.getByRole('button', { name: 'Unpin' }).click()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: '認証フローは変更しない' }).click()
    expect(await place(page)).toContain('at=comment:')
  })
})
