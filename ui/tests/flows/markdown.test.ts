import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { until, visit } from './page'

const said = (page: Page, word: string) => page.locator('article', { hasText: word })

/** A page on the hostile conversation, with everything that it asks the network for. */
async function hostile() {
  const page = await visit({ hash: 'tasks', more: { talk: 'hostile' } })
  await page.getByRole('treeitem').first().waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByRole('treeitem', { name: '害をなす文章' }).click()
  await said(page, '〈1〉').waitFor()
  return { page, asked }
}

describe('a text that would do harm only shows', () => {
  test('nothing of it runs, nothing is fetched, nothing becomes an element, and the page goes on answering', async () => {
    const { page, asked } = await hostile()
    await page.getByRole('feed').focus()
    // Down to the end, comment by comment: the key is answered in time wherever one is.
    for (let nth = 0; nth < 9; nth++) {
      const began = Date.now()
      await page.keyboard.press('ArrowDown')
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      expect(Date.now() - began).toBeLessThan(5_000)
    }
    await said(page, '〈9〉').waitFor()
    expect(await page.evaluate(() => (window as { harmed?: unknown }).harmed)).toBeUndefined()
    expect(asked.filter((url) => !url.startsWith(new URL(page.url()).origin))).toEqual([])
    expect(await page.locator('article :is(script, iframe, img, style, object, embed, form, a, [onclick], [onerror], [onload])').count()).toBe(0)
    expect(await page.locator('article svg:not(.lucide)').count()).toBe(0)
  })

  test('a link of another kind is words and an address', async () => {
    const { page } = await hostile()
    const links = said(page, '〈3〉').getByRole('link')
    expect(await links.count()).toBe(1)
    await said(page, '〈3〉').getByText('safe?').click()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('what a link says it is does not hide where it leads', async () => {
    const { page } = await hostile()
    await said(page, '〈3〉').getByRole('link', { name: 'https://example.org' }).click()
    const dialog = page.getByRole('dialog', { name: 'Open this page in the browser' })
    expect(await dialog.locator('.address').innerText()).toBe('https://evil.example/?q=login')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.evaluate(() => window.fake.opened())).toEqual([])
  })

  test('an image is its words and its address', async () => {
    const { page } = await hostile()
    expect(await said(page, '〈4〉').innerText()).toContain('tracker')
    expect(await said(page, '〈4〉').innerText()).toContain('https://example.org/pixel.gif')
  })

  test('what turns the writing around is shown by its number', async () => {
    const { page } = await hostile()
    expect(await said(page, '〈5〉').innerText()).toContain('[U+202E]txt.exe[U+202C] safe')
    expect(await page.evaluate(() => /[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText))).toBe(false)
  })

  test('five megabytes in one line show in part, and whole when asked for', async () => {
    const { page } = await hostile()
    await page.getByRole('feed').focus()
    await page.keyboard.press('End')
    const long = said(page, '〈8〉')
    await page.keyboard.press('ArrowUp')
    await long.getByRole('button', { name: /^Show all/ }).click()
    await until(page, () => [...document.querySelectorAll('article')].some((it) => (it.textContent?.length ?? 0) > 4_900_000))
    // It still answers.
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
  })
})

describe('Markdown', () => {
  test('a link is followed after it was seen, by keys', async () => {
    const page = await visit({ hash: 'tasks?task=task:900&at=comment:90003', more: { talk: 'rich' } })
    const link = page.getByRole('link', { name: '設計メモ' })
    await link.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    expect(await dialog.locator('.address').innerText()).toBe('https://example.org/notes/auth')
    expect(await dialog.locator('.address b').innerText()).toBe('example.org')
    await page.keyboard.press('Enter')
    await until(page, () => window.fake.opened().length === 1)
    expect(await page.evaluate(() => window.fake.opened())).toEqual(['https://example.org/notes/auth'])
    await until(page, () => document.querySelector('dialog') === null)
  })

  test('code has its colours, and is copied as it was written', async () => {
    const page = await visit({ hash: 'tasks?task=task:900&at=comment:90003', more: { talk: 'rich' } })
    await page.locator('pre .keyword', { hasText: 'export' }).waitFor()
    await page.locator('pre .removed').first().waitFor()
    await page.locator('.code').first().hover()
    await page.getByRole('button', { name: 'Copy the code' }).first().click()
    await until(page, () => window.fake.clipboard().startsWith('export async function refresh'))
  })

  test('a space of the text is a space of the page', async () => {
    const page = await visit({ hash: 'tasks?task=task:900&at=comment:90003', more: { talk: 'rich' } })
    await page.locator('article h3').waitFor()
    const words = await page.locator('article').filter({ has: page.locator('h3') }).innerText()
    for (const part of ['先に結論です。既存の Cookie セッションを残し、画面だけを直します。', '利用者の 92% が 再ログインを 求められずに済む', '残りは https://example.org/issues/42 と team@example.org に書きました。'])
      expect(words).toContain(part)
    expect(await page.locator('article table tr').count()).toBe(4)
    expect(await page.locator('article input[type=checkbox]').count()).toBe(3)
  })
})
