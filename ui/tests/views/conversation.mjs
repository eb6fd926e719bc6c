// The tour's views of tasks, conversations and importing; `tour.mjs` says what a view is.
const feed = (page) => page.getByRole('feed')
const article = (page) => page.locator('article').first().waitFor()
const words = (page, text) => page.locator('.find input').fill(text)

export const conversationViews = [
  {
    name: 'subtasks',
    hash: 'tasks?task=task:15',
    act: async (page) => {
      await article(page)
      await page.locator('.turn', { hasText: /子タスク|subtask/ }).first().click()
      await page.locator('[aria-level="2"]').first().waitFor()
    },
  },
  { name: 'tasks-filtered', hash: 'tasks?title=ログ&sort=title', act: (page) => page.getByRole('treeitem').first().waitFor() },
  { name: 'tasks-nothing', hash: 'tasks?title=どこにもない', act: (page) => page.locator('.notice').first().waitFor() },
  {
    name: 'markdown',
    hash: 'tasks?task=task:900&at=comment:90003',
    more: { talk: 'rich' },
    act: async (page) => {
      await page.locator('article h3').waitFor()
      await page.locator('pre .keyword').first().waitFor()
      await feed(page).evaluate((it) => it.scrollTo(0, 120))
    },
  },
  {
    name: 'markdown-end',
    hash: 'tasks?task=task:900',
    more: { talk: 'rich' },
    act: async (page) => {
      await page.locator('article h3').waitFor()
      await feed(page).focus()
      await page.keyboard.press('End')
      await page.locator('article table').waitFor()
      await feed(page).evaluate((it) => it.scrollTo(0, 99_999))
    },
  },
  {
    name: 'tool-fields',
    hash: 'tasks?task=task:900',
    more: { talk: 'rich' },
    act: async (page) => {
      await page.locator('.line', { hasText: 'Edit' }).click()
      await page.locator('dl dt').first().waitFor()
    },
  },
  {
    name: 'link',
    hash: 'tasks?task=task:900&at=comment:90003',
    more: { talk: 'rich' },
    act: async (page) => {
      await page.getByRole('link', { name: '設計メモ' }).click()
      await page.locator('dialog').waitFor()
    },
  },
  {
    name: 'hostile',
    hash: 'tasks?task=task:900',
    more: { talk: 'hostile' },
    act: (page) => page.locator('article', { hasText: '〈3〉' }).waitFor(),
  },
  {
    name: 'find',
    hash: 'tasks?task=task:15',
    act: async (page) => {
      await article(page)
      await feed(page).focus()
      await page.keyboard.press('Control+f')
      await words(page, 'pods')
      await page.locator('article[aria-current] mark').first().waitFor()
    },
  },
  {
    name: 'find-nothing',
    hash: 'tasks?task=task:15',
    act: async (page) => {
      await article(page)
      await feed(page).focus()
      await page.keyboard.press('Control+f')
      await words(page, '量子テレポート')
      await page.locator('.find [role=status]', { hasText: /一致なし|No match/ }).waitFor()
    },
  },
  {
    name: 'outline',
    hash: 'tasks?task=task:15',
    act: async (page) => {
      await article(page)
      await feed(page).focus()
      await page.keyboard.press('o')
      await page.locator('.outline [role=option]').first().waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'grown',
    hash: 'tasks?task=task:15',
    act: async (page) => {
      await article(page)
      await page.evaluate(() => [1, 2, 3].forEach((n) => window.fake.write({ task: 15, body: `続き ${n}` })))
      await page.locator('.reading .waiting').waitFor()
    },
  },
  {
    name: 'record',
    hash: 'tasks?task=task:12&at=comment:88',
    act: async (page) => {
      await page.locator('article[aria-current]').click({ button: 'right' })
      await page.getByRole('menuitem', { name: /記録ファイルを作成|Make a record/ }).click()
      await page.locator('dialog textarea').waitFor()
      await page.waitForFunction(() => [...document.querySelectorAll('dialog input')].every((it) => it.value !== ''))
    },
  },
  {
    name: 'record-knowledge',
    hash: 'tasks?task=task:12&at=comment:88',
    act: async (page) => {
      await page.locator('article[aria-current]').click({ button: 'right' })
      await page.getByRole('menuitem', { name: /記録ファイルを作成|Make a record/ }).click()
      await page.locator('dialog').getByText(/ナレッジ|Knowledge/).click()
      await page.locator('dialog textarea').waitFor()
    },
  },
  {
    name: 'transcript',
    hash: 'tasks?task=task:12',
    act: async (page) => {
      await article(page)
      await page.getByRole('button', { name: /このタスクの操作|Actions for this task/ }).click()
      await page.getByRole('menuitem', { name: /Markdown で保存|Save as Markdown/ }).click()
      await page.locator('dialog').waitFor()
    },
  },
]
