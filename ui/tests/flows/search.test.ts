import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { field, place, until, visit } from './page'

const options = (page: Page) => page.getByRole('option')
const excerpts = (page: Page) => page.locator('.excerpt').allInnerTexts()
const answered = (page: Page) => options(page).first().waitFor()
const active = (page: Page) => page.locator('[role=option][aria-selected=true] .excerpt').innerText()

describe('while typing', () => {
  test('hits appear, with their marks, and the place follows', async () => {
    const page = await visit()
    await page.locator(field).pressSequentially('認証')
    await answered(page)
    expect(await page.locator('mark').first().innerText()).toBe('認証')
    expect(await page.locator('.count').innerText()).toMatch(/^16 hits$/)
    expect(await place(page)).toBe('search?q=認証')
  })

  test('only the last answer is shown, however the answers come in', async () => {
    const page = await visit()
    await page.evaluate(() => window.fake.hold('search'))
    await page.locator(field).pressSequentially('税率')
    await page.locator(field).fill('rate limit')
    await until(page, () => window.fake.waiting('search') === 3)
    // The newest is answered first, the older ones after it.
    await page.evaluate(() => window.fake.release('search', 2))
    await answered(page)
    await page.evaluate(() => window.fake.free('search'))
    await page.evaluate(() => new Promise((done) => setTimeout(done)))
    for (const text of await excerpts(page)) expect(text.toLowerCase()).toMatch(/rate|limit/)
  })

  test('the hits of before stay until the next answer is there', async () => {
    const page = await visit({ hash: 'search?q=認証' })
    await answered(page)
    await page.evaluate(() => window.fake.hold('search'))
    await page.locator(field).fill('税率')
    await until(page, () => window.fake.waiting('search') === 1)
    expect((await excerpts(page)).every((text) => text.includes('認証'))).toBe(true)
    await page.evaluate(() => window.fake.free('search'))
    await page.locator('mark', { hasText: '税率' }).first().waitFor()
  })

  test('a search that takes longer than 300 ms shows that it runs', async () => {
    const page = await visit()
    await page.evaluate(() => window.fake.hold('search'))
    await page.locator(field).fill('認証')
    const bar = page.getByRole('progressbar')
    await bar.waitFor()
    expect(await bar.evaluate((it) => getComputedStyle(it).animationDelay)).toBe('0.3s')
    await page.evaluate(() => window.fake.free('search'))
    await answered(page)
    await bar.waitFor({ state: 'detached' })
  })
})

describe('Japanese input', () => {
  /** Types by an input method, as the browser tells it: a composition that changes, then is ended by Enter. */
  async function compose(page: Page, steps: string[], ended: string) {
    await page.locator(field).focus()
    await page.evaluate(
      ([steps, ended]) => {
        const input = document.activeElement as HTMLInputElement
        const say = (type: string, data: string) => input.dispatchEvent(new CompositionEvent(type, { data, bubbles: true }))
        const put = (text: string, isComposing: boolean) => {
          input.value = text
          input.dispatchEvent(new InputEvent('input', { isComposing, bubbles: true }))
        }
        const enter = (isComposing: boolean, keyCode: number) =>
          input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing, keyCode, bubbles: true, cancelable: true } as KeyboardEventInit))
        say('compositionstart', '')
        for (const step of steps) {
          say('compositionupdate', step)
          put(step, true)
        }
        // Chromium: Enter within the composition. WebKit: after its end, with the key code 229.
        enter(true, 229)
        put(ended, true)
        say('compositionend', ended)
        enter(false, 229)
      },
      [steps, ended] as const,
    )
  }

  test('the search waits for the end of the composition', async () => {
    const page = await visit()
    await compose(page, ['に', 'にん', 'にんしょう'], '認証')
    await answered(page)
    expect(await page.evaluate(() => window.fake.calls('search'))).toBe(1)
    expect(await place(page)).toBe('search?q=認証')
  })

  test('the Enter that ends it opens nothing', async () => {
    const page = await visit({ hash: 'search?q=ログイン' })
    await answered(page)
    await compose(page, ['にんしょう'], '認証')
    await page.locator('mark', { hasText: '認証' }).first().waitFor()
    expect(await place(page)).not.toContain('at=')
    await page.keyboard.press('Enter')
    await page.locator('article[aria-current]').waitFor()
    expect(await place(page)).toContain('at=comment:')
  })
})

describe('by keyboard alone', () => {
  test('from the field to a hit, through its conversation, and back', async () => {
    const page = await visit({ begin: 'open' })
    await page.keyboard.press('/')
    await page.keyboard.type('税率')
    await answered(page)
    const first = await active(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await active(page)).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.locator('article[aria-current] mark').first().waitFor()
    // Tab walks on; the conversation takes the arrows, and Escape leads back step by step.
    await page.getByRole('feed').focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE')
    await page.keyboard.press('c')
    expect(await page.evaluate(() => window.fake.clipboard())).toMatch(/^comment:\d+$/)
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('listbox')
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.matches('[data-main-field]'))).toBe(true)
    await page.keyboard.press('Escape')
    expect(await place(page)).toBe('search')
  })

  test('back and forward go through what was opened', async () => {
    const page = await visit({ hash: 'search?q=認証' })
    await answered(page)
    await page.keyboard.press('/')
    await page.keyboard.press('Enter')
    await page.locator('article[aria-current]').waitFor()
    const opened = await place(page)
    await page.keyboard.press('Alt+ArrowLeft')
    await page.locator('article').first().waitFor({ state: 'detached' })
    expect(await place(page)).toBe('search?q=認証')
    await page.keyboard.press('Alt+ArrowRight')
    await page.locator('article[aria-current]').waitFor()
    expect(await place(page)).toBe(opened)
  })

  test('pinning, with an undo', async () => {
    const page = await visit({ hash: 'search?q=既存の認証フロー' })
    await answered(page)
    await page.getByRole('listbox').focus()
    await page.keyboard.press('p')
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    await page.getByRole('button', { name: 'Pin', exact: true }).click()
    const toast = page.locator('.toast')
    await toast.waitFor()
    await toast.getByRole('button', { name: 'Undo' }).click()
    await until(page, () => window.fake.calls('unpin') === 1)
  })
})

describe('what narrows a search', () => {
  test('filters and the match mode are part of the place, and can be taken back at once', async () => {
    const page = await visit({ hash: 'search?q=税率 端数' })
    await answered(page)
    const any = await page.locator('.count').innerText()
    await page.getByText('All words').click()
    await page.waitForFunction((before) => document.querySelector('.count')?.textContent?.trim() !== before, any)
    await page.getByRole('button', { name: 'Kind' }).click()
    await page.getByRole('menuitemradio', { name: 'Question' }).click()
    expect(await place(page)).toBe('search?q=税率 端数&mode=all&kind=ask')
    await page.getByRole('button', { name: 'Search without filters' }).click()
    await answered(page)
    expect(await place(page)).toBe('search?q=税率 端数&mode=all')
  })

  test('a member, a task, a state and a period', async () => {
    const page = await visit({ hash: 'search?q=税率' })
    await answered(page)
    await page.getByRole('button', { name: 'Author' }).click()
    await page.getByRole('menuitemradio', { name: '三輪 悠' }).click()
    await page.getByRole('button', { name: 'Task', exact: true }).click()
    await page.getByPlaceholder('Find a task by its title').fill('軽減税率')
    await page.locator('[data-task]', { hasText: '軽減税率' }).first().click()
    await page.getByRole('button', { name: 'State' }).click()
    await page.getByRole('menuitemradio', { name: 'Closed' }).click()
    await page.getByRole('button', { name: 'Date' }).click()
    await page.getByLabel('From').fill('2026-06-01')
    await page.getByLabel('To', { exact: true }).fill('2026-06-30')
    await page.keyboard.press('Escape')
    expect(await place(page)).toBe('search?q=税率&author=m2&task=task:18&state=closed&since=2026-06-01&until=2026-06-30')
    await until(page, () => document.querySelectorAll('[role=option]').length === 1)
  })
})

describe('every state', () => {
  test('nothing found says what was searched and offers what may find more', async () => {
    const page = await visit({ hash: 'search?q=量子 ログイン&mode=all' })
    await page.getByText('Nothing found for “量子 ログイン”').waitFor()
    await page.getByRole('button', { name: 'Match any word' }).click()
    await answered(page)
  })

  test('a word that is nowhere is searched by its parts, and that is said', async () => {
    const page = await visit({ lang: 'ja', hash: 'search?q=満月の周期の計算' })
    await answered(page)
    expect(await page.locator('.note').innerText()).toContain('「満月」「周期」「計算」に分けて')
  })

  test('a failure is said where it happened, what was found stays, and it can be tried again', async () => {
    const page = await visit({ hash: 'search?q=認証' })
    await answered(page)
    await page.evaluate(() => window.fake.fail('search', 'io', 'The disk could not be read.'))
    await page.locator(field).fill('税率')
    await page.getByRole('alert').getByText('The disk could not be read.').waitFor()
    expect(await options(page).count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('mark', { hasText: '税率' }).first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a search that was taken back is no failure', async () => {
    const page = await visit({ hash: 'search?q=認証' })
    await answered(page)
    await page.evaluate(() => window.fake.fail('search', 'cancelled', 'cancelled'))
    await page.locator(field).fill('税率')
    await until(page, () => window.fake.calls('search') === 2)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('many hits: at least so many, counted on demand, and that can be stopped', async () => {
    const page = await visit({ hash: 'search?q=確認しました', more: { huge: '3000' } })
    await page.getByText('1,000+ hits').waitFor()
    await page.getByText('the newest 1,000 were put in order of match').waitFor()
    await page.evaluate(() => window.fake.hold('countAll'))
    await page.getByRole('button', { name: 'Count all' }).click()
    await page.getByRole('button', { name: /Counting/ }).click()
    await page.evaluate(() => window.fake.free('countAll'))
    await page.getByText('1,000+ hits').waitFor()
    await page.getByRole('button', { name: 'Count all' }).click()
    await page.getByText(/^3,0\d\d hits in all$/).waitFor()
  })

  test('more hits are read as they are scrolled to, and few rows stand in the page', async () => {
    const page = await visit({ hash: 'search?q=を確認しました&flat=true&order=newest', more: { huge: '3000' } })
    await answered(page)
    const size = () => page.getByRole('listbox').evaluate((list) => list.scrollHeight)
    const before = await size()
    await page.getByRole('listbox').focus()
    await page.keyboard.press('End')
    await page.waitForFunction((was) => (document.querySelector('[role=listbox]')?.scrollHeight ?? 0) > was * 1.5, before)
    expect(await options(page).count()).toBeLessThan(60)
  })

  test('saving the results', async () => {
    const page = await visit({ hash: 'search?q=認証' })
    await answered(page)
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menuitem', { name: 'Save as Markdown' }).click()
    await page.getByText('Saved to /home/haruka/search.md').waitFor()
    expect(Object.values(await page.evaluate(() => window.fake.saved()))[0]).toContain('comment:88')
  })
})

describe('what others write', () => {
  const write = (page: Page) => page.evaluate(() => window.fake.write({ task: 12, body: '認証の続きです' }))

  test('is shown at once at the top of the list', async () => {
    const page = await visit({ hash: 'search?q=認証' })
    await answered(page)
    await write(page)
    await page.locator('.fresh', { hasText: '認証の続きです' }).waitFor()
  })

  test('waits while the person has scrolled, and moves nothing', async () => {
    const page = await visit({ hash: 'search?q=認証' })
    await answered(page)
    const list = page.getByRole('listbox')
    await list.evaluate((it) => it.scrollTo(0, 300))
    await until(page, () => (document.querySelector('[role=listbox]')?.scrollTop ?? 0) > 200)
    await write(page)
    await write(page)
    await page.getByRole('button', { name: '2 new' }).waitFor()
    expect(await list.evaluate((it) => it.scrollTop)).toBe(300)
    expect(await page.getByText('認証の続きです').count()).toBe(0)
    await page.getByRole('button', { name: '2 new' }).click()
    await page.locator('.fresh', { hasText: '認証の続きです' }).first().waitFor()
    expect(await list.evaluate((it) => it.scrollTop)).toBe(0)
  })
})
