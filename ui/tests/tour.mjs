// Drives the page on the fake platform through its views and writes a picture of each, for people to look at with a hard
// eye: alignment, contrast, truncation, line breaks, empty and broken states.
//
//     npm run tour -- FOLDER [WORD [LOOK]]     only views whose name holds WORD, only looks such as `ja-light`
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { begin, open } from './browser.mjs'
import { boardViews } from './views/board.mjs'
import { conversationViews } from './views/conversation.mjs'
import { recordsViews } from './views/records.mjs'

const option = (page) => page.getByRole('option')
const task = (page) => page.getByRole('treeitem')
const key = (page, name) => page.keyboard.press(name)

/** Each view: what it begins with, and what brings it about. */
export const VIEWS = [
  { name: 'start', begin: 'none' },
  { name: 'first-run', begin: 'first-run' },
  {
    name: 'folder',
    begin: 'first-run',
    act: async (page) => {
      await page.locator('.way').nth(0).click()
      await page.getByRole('checkbox').first().waitFor()
    },
  },
  {
    name: 'new-space-risk',
    begin: 'first-run',
    more: { place: '/home/haruka/Dropbox/kiroku' },
    act: async (page) => {
      await page.locator('.way').nth(1).click()
      await page.locator('dialog input').first().fill('こはく開発')
      await page.locator('dialog .place button').click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'search-idle', recent: true },
  { name: 'search', hash: 'search?q=認証', act: (page) => option(page).first().waitFor() },
  { name: 'search-flat', hash: 'search?q=rate+limit&flat=true', act: (page) => option(page).first().waitFor() },
  {
    name: 'drill-down',
    hash: 'search?q=認証',
    act: async (page) => {
      await option(page).nth(3).click()
      await page.locator('article[aria-current]').waitFor()
    },
  },
  {
    name: 'filters',
    hash: 'search?q=税率&kind=request&author=m2&state=closed&since=2026-06-01',
    act: async (page) => {
      await page.locator('.filters button').nth(1).click()
      await page.getByRole('menuitemradio').first().waitFor()
    },
  },
  { name: 'split', hash: 'search?q=満月の周期の計算', act: (page) => option(page).first().waitFor() },
  { name: 'nothing', hash: 'search?q=量子 テレポート&mode=all&kind=ask', act: (page) => page.locator('.notice').first().waitFor() },
  {
    name: 'search-failed',
    hash: 'search?q=認証',
    act: async (page) => {
      await option(page).first().waitFor()
      await page.evaluate(() => window.fake.fail('search', 'io'))
      await page.locator('[data-main-field]').pressSequentially('フ')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'capped',
    hash: 'search?q=確認しました',
    more: { huge: '20000' },
    act: (page) => option(page).first().waitFor(),
  },
  {
    name: 'new-waiting',
    hash: 'search?q=認証',
    act: async (page) => {
      await option(page).first().waitFor()
      // The page hears of a scroll with the next frame, and only then what is new has to wait.
      await page.getByRole('listbox').evaluate(async (list) => {
        const frame = () => new Promise((done) => requestAnimationFrame(done))
        while (list.scrollTop < 300) {
          list.scrollTo(0, 300)
          await frame()
        }
        await frame()
      })
      await page.evaluate(() => [1, 2, 3].forEach((n) => window.fake.write({ task: 12, body: `認証の続き ${n}` })))
      await page.locator('button.waiting').waitFor()
    },
  },
  {
    name: 'loading',
    hash: 'search?q=',
    act: async (page) => {
      await page.evaluate(() => window.fake.hold('search'))
      await page.locator('[data-main-field]').fill('認証')
      await page.getByRole('progressbar').waitFor()
    },
  },
  { name: 'tasks', hash: 'tasks', act: (page) => task(page).first().waitFor() },
  { name: 'tasks-none', begin: 'empty', hash: 'tasks', act: (page) => page.locator('.notice').waitFor() },
  { name: 'task', hash: 'tasks?task=task:32', act: (page) => page.locator('article').first().waitFor() },
  { name: 'task-en', hash: 'tasks?task=task:15', act: (page) => page.locator('article').first().waitFor() },
  {
    name: 'tool-open',
    hash: 'tasks?task=task:15',
    act: async (page) => {
      await page.locator('article .line:has(code)').first().click()
      await page.locator('pre').first().waitFor()
    },
  },
  {
    name: 'menu',
    hash: 'tasks?task=task:12&at=comment:88',
    act: async (page) => {
      await page.locator('article[aria-current]').click({ button: 'right' })
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'pin',
    hash: 'search?q=認証',
    act: async (page) => {
      await option(page).first().waitFor()
      await page.getByRole('listbox').focus()
      await key(page, 'p')
      await page.locator('dialog').waitFor()
    },
  },
  {
    name: 'forget',
    hash: 'tasks?task=task:12&at=comment:88',
    act: async (page) => {
      await page.locator('article[aria-current]').click({ button: 'right' })
      await page.getByRole('menuitem').last().click()
      await page.locator('dialog .paths').waitFor()
    },
  },
  {
    name: 'toast',
    hash: 'tasks?task=task:12',
    act: async (page) => {
      await page.locator('.pins li button').last().click()
      await page.locator('.toast').waitFor()
    },
  },
  { name: 'gone-ref', hash: 'tasks?task=task:999', act: (page) => page.getByRole('alert').waitFor() },
  {
    name: 'palette',
    hash: 'tasks',
    act: async (page) => {
      await task(page).first().waitFor()
      await key(page, 'Control+k')
      await page.locator('dialog input').fill('ログイン')
      await page.locator('dialog [role=option]').nth(1).waitFor()
    },
  },
  {
    name: 'keys',
    act: async (page) => {
      await page.locator('.side').waitFor()
      await key(page, '?')
      await page.locator('dialog').waitFor()
    },
  },
  { name: 'settings', hash: 'settings' },
  { name: 'settings-space', hash: 'settings?section=space' },
  {
    name: 'settings-space-faults',
    hash: 'settings?section=space',
    more: { health: 'faults' },
    act: async (page) => {
      await page.locator('.steps button').first().click()
      await page.locator('.answer li').first().waitFor()
      await page.locator('.answer').scrollIntoViewIfNeeded()
    },
  },
  { name: 'settings-agents', hash: 'settings?section=agents', act: (page) => page.locator('pre').first().waitFor() },
  { name: 'settings-memory', hash: 'settings?section=memory', act: (page) => page.locator('input[type=number]').first().waitFor() },
  { name: 'import-found', hash: 'settings?section=import', more: { watch: 'watching' }, act: (page) => page.locator('[data-row]').first().waitFor() },
  {
    name: 'import-everywhere',
    hash: 'settings?section=import',
    more: { folders: '400', watch: 'paused' },
    act: async (page) => {
      await page.locator('.bar label').nth(1).click()
      await page.locator('[data-row="5"]').waitFor()
    },
  },
  {
    name: 'import-menu',
    hash: 'settings?section=import',
    more: { watch: 'failed' },
    act: async (page) => {
      await page.locator('[data-row="0"] button').click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  { name: 'import-none', hash: 'settings?section=import', more: { sessions: 'none' }, act: (page) => page.locator('.none').first().waitFor() },
  {
    name: 'import-loading',
    act: async (page) => {
      await page.locator('.side').waitFor()
      await page.evaluate(() => {
        window.fake.hold('foundSessions')
        location.hash = 'settings?section=import'
      })
      await page.getByRole('progressbar').waitFor()
    },
  },
  {
    name: 'import-look-failed',
    act: async (page) => {
      await page.locator('.side').waitFor()
      await page.evaluate(() => {
        window.fake.fail('foundSessions', 'io')
        location.hash = 'settings?section=import'
      })
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'catching-up', more: { watch: 'catching_up' }, hash: 'search?q=認証', act: (page) => page.locator('button.watch').waitFor() },
  {
    name: 'indexing',
    hash: 'search?q=認証',
    act: async (page) => {
      await option(page).first().waitFor()
      await page.evaluate(() => window.fake.emit({ kind: 'indexing', done: 320_000, total: 1_000_000, ended: false }))
      await page.locator('.strip progress, .icon[role=status]').first().waitFor()
    },
  },
  { name: 'search-empty', begin: 'empty', act: (page) => page.locator('.idle .notice').waitFor() },
  { name: 'given-folder', begin: 'none', more: { given: '/home/haruka/kohaku' }, act: (page) => page.getByRole('checkbox').first().waitFor() },
  {
    name: 'folder-empty',
    begin: 'first-run',
    more: { folder: '/home/haruka/empty' },
    act: async (page) => {
      await page.locator('.way').nth(0).click()
      await page.locator('.nothing').waitFor()
    },
  },
  {
    name: 'folder-failed',
    begin: 'first-run',
    act: async (page) => {
      await page.evaluate(() => window.fake.fail('look', 'io'))
      await page.locator('.way').nth(0).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'opening',
    begin: 'none',
    act: async (page) => {
      await page.locator('.known').first().waitFor()
      await page.evaluate(() => window.fake.hold('openSpace'))
      await page.locator('.known .open').first().click()
      await page.waitForFunction(() => document.querySelector('.late')?.checkVisibility({ opacityProperty: true }))
    },
  },
  {
    name: 'read-only',
    begin: 'none',
    act: async (page) => {
      await page.locator('.known').first().waitFor()
      await page.evaluate(() => window.fake.fail('openSpace', 'io'))
      await page.locator('.known .open').first().click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'importing',
    hash: 'settings?section=import',
    act: async (page) => {
      await page.evaluate(() => window.fake.hold('importStep'))
      await page.locator('.go .primary').click()
      await page.locator('.run progress').waitFor()
    },
  },
  {
    name: 'imported',
    hash: 'settings?section=import',
    act: async (page) => {
      await page.locator('.go .primary').click()
      await page.locator('.report summary').click()
      await page.locator('.skip').first().waitFor()
      await page.locator('.report .tools').scrollIntoViewIfNeeded()
    },
  },
  { name: 'backups', hash: 'settings?section=backups', act: (page) => page.locator('.page li').first().waitFor() },
  { name: 'broken', begin: 'broken' },
  { name: 'newer', begin: 'newer' },
  {
    name: 'gone',
    act: async (page) => {
      await page.locator('.side').waitFor()
      await page.evaluate(() => window.fake.gone())
    },
  },
  ...conversationViews,
  ...boardViews,
  ...recordsViews,
  { name: 'large-text', hash: 'search?q=認証&at=comment:88', more: { size: '17' }, act: (page) => page.locator('article[aria-current]').waitFor() },
]

/** Opens a view and brings it about. */
export async function enter(browser, view, look) {
  const opened = await open(browser, { begin: view.begin, hash: view.hash, more: view.more, ...look })
  const { page } = opened
  if (view.recent) {
    await page.evaluate(() =>
      localStorage.setItem('kiroku.recent.0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31', JSON.stringify(['認証 セッション', 'rate limit', '税率 端数処理'])),
    )
    await page.reload()
  }
  await page.locator('main').first().waitFor()
  await view.act?.(page)
  // Two frames, so that what was just placed is painted.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return opened
}

if (process.argv[1] && resolve(process.argv[1]) === new URL(import.meta.url).pathname) {
  const [folder, word = '', looks = ''] = process.argv.slice(2)
  if (!folder) throw new Error('which folder?')
  await mkdir(folder, { recursive: true })
  const browser = await begin()
  try {
    for (const lang of ['ja', 'en'])
      for (const theme of ['light', 'dark'])
        for (const size of [[1280, 800], [900, 600]])
          for (const view of VIEWS.filter(({ name }) => name.includes(word))) {
            const name = `${view.name}-${lang}-${theme}-${size[0]}.png`
            if (!name.includes(looks)) continue
            const { page, faults, close } = await enter(browser, view, { lang, theme, size })
            await page.screenshot({ path: join(folder, name) })
            if (faults.length > 0) console.log(name, faults)
            await close()
          }
  } finally {
    await browser.close()
  }
}
