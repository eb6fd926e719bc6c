// The tour's views of the board; `tour.mjs` says what a view is.

const card = (page, nth = 0) => page.locator('[data-item]').nth(nth)
/** The cards are there, measured and in their places. */
const ready = async (page) => {
  await card(page).waitFor()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

export const boardViews = [
  { name: 'board', hash: 'board', act: (page) => page.locator('[data-thread]').first().waitFor() },
  { name: 'board-200', hash: 'board', more: { threads: '200' }, act: (page) => page.locator('[data-thread]').first().waitFor() },
  { name: 'board-stuck', hash: 'board?show=stuck', act: (page) => page.locator('[data-thread]').first().waitFor() },
  { name: 'board-found', hash: 'board?q=テスト', act: (page) => page.locator('[data-thread] mark').first().waitFor() },
  { name: 'board-none', begin: 'empty', hash: 'board', act: (page) => page.locator('.notice').waitFor() },
  { name: 'board-nothing', hash: 'board?q=量子テレポート', act: (page) => page.locator('.notice').waitFor() },
  {
    name: 'board-failed',
    hash: 'tasks',
    act: async (page) => {
      await page.evaluate(() => window.fake.fail('board', 'io'))
      await page.evaluate(() => (location.hash = 'board'))
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'thread', hash: 'board?thread=task:42', act: ready },
  { name: 'thread-long', hash: 'board?thread=task:45', more: { threads: '30' }, act: ready },
  { name: 'thread-300', hash: 'board?thread=task:900', more: { items: '300' }, act: ready },
  {
    name: 'thread-item',
    hash: 'board?thread=task:42&item=enroll',
    act: async (page) => {
      await ready(page)
      await page.locator('aside .change').first().waitFor()
    },
  },
  {
    name: 'thread-history',
    hash: 'board?thread=task:18&history=true',
    act: (page) => page.locator('[data-change]').first().waitFor(),
  },
  {
    name: 'thread-gone',
    hash: 'board?thread=task:42&history=true',
    act: async (page) => {
      await page.evaluate(() => window.fake.lists.agent('task:42', [{ do: 'remove', id: 'enroll' }]))
      await page.locator('details.gone summary').click()
    },
  },
  {
    name: 'thread-lifted',
    hash: 'board?thread=task:42',
    act: async (page) => {
      await card(page).locator('.body').focus()
      await page.keyboard.press(' ')
      await page.keyboard.press('ArrowRight')
      await page.locator('.rule.stops').waitFor()
    },
  },
  {
    name: 'thread-dragged',
    hash: 'board?thread=task:42',
    act: async (page) => {
      await ready(page)
      const from = await card(page).boundingBox()
      const to = await page.locator('[data-column=completed] [data-item]').nth(1).boundingBox()
      await page.mouse.move(from.x + 60, from.y + 16)
      await page.mouse.down()
      await page.mouse.move(from.x + 90, from.y + 30)
      await page.mouse.move(to.x + 60, to.y + 4, { steps: 4 })
      await page.locator('.ghost').waitFor()
    },
  },
  {
    name: 'thread-editing',
    hash: 'board?thread=task:42',
    act: async (page) => {
      await card(page).locator('.body').focus()
      await page.keyboard.press('e')
      await page.locator('.editor textarea').waitFor()
    },
  },
  {
    name: 'thread-clash',
    hash: 'board?thread=task:42',
    act: async (page) => {
      const id = await card(page).getAttribute('data-item')
      await card(page).locator('.body').focus()
      await page.keyboard.press('e')
      await page.locator('.editor textarea').fill('自分の言葉で書き直した項目')
      await page.evaluate((id) => window.fake.lists.agent('task:42', [{ do: 'change', id, content: 'エージェントが同時に書き換えた内容', activeForm: null, status: null }]), id)
      await page.locator('.clash').waitFor()
    },
  },
  {
    name: 'thread-conflict',
    hash: 'board?thread=task:42',
    act: async (page) => {
      const id = await card(page).getAttribute('data-item')
      await page.evaluate(() => window.fake.hold('threadList'))
      await page.evaluate((id) => window.fake.lists.agent('task:42', [{ do: 'change', id, content: null, activeForm: null, status: 'completed' }]), id)
      await card(page).locator('.body').focus()
      await page.keyboard.press('Delete')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'thread-waiting',
    hash: 'board?thread=task:42',
    act: async (page) => {
      await card(page).hover()
      const id = await card(page).getAttribute('data-item')
      await page.evaluate((id) => window.fake.lists.agent('task:42', [{ do: 'change', id, content: null, activeForm: null, status: 'in_progress' }]), id)
      await page.locator('button.waiting').waitFor()
    },
  },
  {
    name: 'thread-menu',
    hash: 'board?thread=task:42',
    act: async (page) => {
      await card(page).click({ button: 'right' })
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  { name: 'thread-empty', hash: 'board?thread=task:1', act: (page) => page.locator('.nothing').waitFor() },
  { name: 'thread-not-there', hash: 'board?thread=codex-1', act: (page) => page.getByRole('alert').waitFor() },
]
