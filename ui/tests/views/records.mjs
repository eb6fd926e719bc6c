// The tour's views of memory and knowledge; `tour.mjs` says what a view is.
import { editorViews } from './editor.mjs'

const row = (page, name) => page.getByRole('row').filter({ hasText: name }).first()
const table = (page) => page.locator('[role=row].record').first().waitFor()

/** Opens the dialog of a row by a key. */
const byKey = (name, key) => async (page) => {
  await table(page)
  await row(page, name).click({ button: 'right' })
  await page.getByRole('menuitem').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('grid').focus()
  await page.keyboard.press(key)
}

export const recordsViews = [
  { name: 'memory', hash: 'memory', act: table },
  { name: 'knowledge', hash: 'knowledge', act: table },
  { name: 'memory-sorted', hash: 'memory?sort=-problems&faulty=true', act: table },
  {
    name: 'memory-open',
    hash: 'memory?at=decision:totp-recovery',
    act: async (page) => {
      await page.getByRole('treeitem').first().waitFor()
      await page.locator('.cm-content').waitFor()
    },
  },
  {
    name: 'knowledge-open',
    hash: 'knowledge?at=knowledge:returns',
    act: async (page) => {
      await page.getByRole('treeitem').first().waitFor()
      await page.locator('.cm-content').waitFor()
    },
  },
  { name: 'memory-search', hash: 'memory?q=認証', act: (page) => page.getByRole('option').first().waitFor() },
  {
    name: 'knowledge-search',
    hash: 'knowledge?q=tax&at=knowledge:tax-rounding',
    act: async (page) => {
      await page.getByRole('option').first().waitFor()
      await page.locator('.cm-content').waitFor()
    },
  },
  { name: 'memory-not-found', hash: 'memory?q=量子テレポート', act: (page) => page.locator('.notice').first().waitFor() },
  { name: 'memory-nothing', hash: 'memory?kind=request&status=open', act: (page) => page.locator('.notice').first().waitFor() },
  { name: 'memory-none', hash: 'memory', more: { records: 'none' }, act: (page) => page.locator('.notice').first().waitFor() },
  { name: 'knowledge-none', begin: 'empty', hash: 'knowledge', act: (page) => page.locator('.notice').first().waitFor() },
  { name: 'records-5000', hash: 'knowledge', more: { records: '5000' }, act: table },
  { name: 'records-5000-open', hash: 'memory?at=summary', more: { records: '5000' }, act: (page) => page.getByRole('treeitem').first().waitFor() },
  {
    name: 'record-menu',
    hash: 'memory',
    act: async (page) => {
      await table(page)
      await row(page, 'totp-recovery').click({ button: 'right' })
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'record-new',
    hash: 'knowledge',
    act: async (page) => {
      await table(page)
      await page.getByRole('grid').focus()
      await page.keyboard.press('n')
      await page.locator('dialog input').first().fill('配送の締め時刻')
      await page.waitForFunction(() => document.querySelectorAll('dialog input')[2]?.value)
    },
  },
  {
    name: 'record-new-wrong',
    hash: 'memory',
    act: async (page) => {
      await table(page)
      await page.getByRole('grid').focus()
      await page.keyboard.press('n')
      await page.locator('dialog input:not([type=radio])').first().fill('x')
      await page.locator('dialog input:not([type=radio])').nth(1).fill('Not A Slug')
      await page.locator('dialog footer .primary').click()
      await page.locator('dialog [aria-invalid=true]').waitFor()
    },
  },
  {
    name: 'record-rename',
    hash: 'knowledge',
    act: async (page) => {
      await byKey('tax-rounding', 'F2')(page)
      await page.locator('dialog input').fill('tax-and-rounding')
      await page.locator('dialog li').first().waitFor()
    },
  },
  {
    name: 'record-referred',
    hash: 'knowledge',
    act: async (page) => {
      await byKey('tax-rounding', 'Delete')(page)
      await page.locator('dialog li').first().waitFor()
    },
  },
  {
    name: 'record-deleted',
    hash: 'knowledge',
    act: async (page) => {
      await byKey('island-shipping', 'Delete')(page)
      await page.locator('.toast').waitFor()
    },
  },
  {
    name: 'records-kept',
    hash: 'knowledge',
    act: async (page) => {
      await byKey('island-shipping', 'Delete')(page)
      await page.locator('.toast').waitFor()
      await page.locator('.toolbar button').last().click()
      await page.getByRole('menuitem').click()
      await page.locator('dialog li').first().waitFor()
    },
  },
  {
    name: 'records-strays',
    hash: 'knowledge',
    act: async (page) => {
      await table(page)
      await page.locator('button.strays').click()
      await page.locator('dialog li').first().waitFor()
    },
  },
  {
    name: 'records-changed',
    hash: 'knowledge',
    act: async (page) => {
      await table(page)
      await row(page, 'image-storage').hover()
      await page.evaluate(() => window.fake.records.write('knowledge:new-by-agent', window.fake.records.text('knowledge:image-storage') ?? ''))
      await page.locator('button.waiting').waitFor()
    },
  },
  {
    name: 'records-failed',
    act: async (page) => {
      await page.locator('.side').waitFor()
      await page.evaluate(() => {
        window.fake.fail('records', 'io')
        location.hash = 'memory'
      })
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'records-loading',
    act: async (page) => {
      await page.locator('.side').waitFor()
      await page.evaluate(() => {
        window.fake.hold('records')
        location.hash = 'memory'
      })
      await page.getByRole('progressbar').waitFor()
    },
  },
  ...editorViews,
]
