import { describe, expect, test } from 'vitest'
import { field, place, until, visit } from './page'

describe('the ways in', () => {
  test('the first run offers three, and the sample space is one press away', async () => {
    const page = await visit({ begin: 'first-run' })
    expect(await page.locator('.way').count()).toBe(3)
    await page.getByRole('button', { name: /Look round the sample space/ }).click()
    await page.locator(field).waitFor()
    expect(await page.title()).toBe('こはく開発 – Kiroku')
  })

  test('a folder: what is there, a space made in it, and its sessions brought in', async () => {
    const page = await visit({ begin: 'first-run' })
    await page.evaluate(() => window.fake.hold('importStep'))
    await page.getByRole('button', { name: /Open a folder/ }).click()
    await page.getByText('38 sessions, 214 MB').waitFor()
    await page.getByText('with any secret in them').waitFor()
    await page.getByRole('button', { name: 'Make a space and import these' }).click()
    const strip = page.getByRole('region', { name: 'Importing conversations' })
    await strip.getByText('1,840 comments').waitFor()
    await strip.getByText('920 a second').waitFor()
    await strip.getByText('about 8 s left').waitFor()
    await page.evaluate(() => window.fake.free('importStep'))
    await strip.getByText('Imported 44 tasks and 9,204 comments.').waitFor()
    await strip.getByRole('button', { name: '1 line could not be read' }).click()
    await page.getByText('1 line could not be read').last().click()
    await page.getByText('not JSON').waitFor()
  })

  test('an import that is stopped keeps what it brought in, and says so', async () => {
    const page = await visit({ hash: 'settings?section=import' })
    await page.evaluate(() => window.fake.hold('importStep'))
    await page.getByRole('button', { name: 'Import all' }).click()
    await page.locator('.run').getByRole('button', { name: 'Stop' }).click()
    await page.evaluate(() => window.fake.free('importStep'))
    await page.locator('.report').getByText('Stopped. What was imported stays').waitFor()
  })

  test('a new space: what is missing is said, and a place that is not safe is said before anything is made', async () => {
    const page = await visit({ begin: 'first-run', more: { place: '/home/haruka/Dropbox' } })
    await page.getByRole('button', { name: /Make a new space/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Make the space' }).click()
    await dialog.getByText('Give the space a name.').waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('決済チーム')
    await dialog.getByRole('button', { name: 'Choose' }).click()
    await dialog.getByRole('alert').getByText('kept in step by Dropbox').waitFor()
    expect(await dialog.getByRole('button', { name: 'Make the space' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Use a safe place' }).click()
    await dialog.getByRole('alert').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Make the space' }).click()
    await page.getByText('0 comments in 0 tasks').waitFor()
  })

  test('switching and closing', async () => {
    const page = await visit({ hash: 'tasks?task=task:12' })
    await page.getByRole('button', { name: /Switch space/ }).click()
    await page.getByRole('menuitem', { name: 'Close this space' }).click()
    await page.getByText('Opened before').waitFor()
    expect(await page.getByRole('button', { name: /旧チーム/ }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Take off this list' }).last().click()
    await page.getByText('旧チーム').waitFor({ state: 'detached' })
  })
})

describe('a file that is not as it should be', () => {
  test('broken: what happened, what was kept, and a backup put back', async () => {
    const page = await visit({ begin: 'broken' })
    await page.getByRole('alert').getByText('is damaged').waitFor()
    await page.getByText('The file was not changed.').waitFor()
    await page.getByRole('button', { name: 'Restore a backup' }).click()
    await page.getByRole('button', { name: 'Restore…', exact: true }).first().click()
    await page.getByRole('dialog').getByText('nothing is lost').waitFor()
    await page.evaluate(() => window.fake.fail('restore', 'io', 'The disk is full.'))
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByText('The disk is full.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('is kept as').waitFor()
  })

  test('written by a newer program: it is not touched, and not offered a restore', async () => {
    const page = await visit({ begin: 'newer', lang: 'ja' })
    await page.getByRole('alert').getByText('より新しい Kiroku で書かれたスペースです').waitFor()
    expect(await page.getByRole('button', { name: 'バックアップから復元' }).count()).toBe(0)
    await page.getByRole('button', { name: '別のスペースを選ぶ' }).click()
    await page.getByRole('button', { name: /フォルダーを開く/ }).waitFor()
  })

  test('gone while it was open, and back again', async () => {
    const page = await visit({ hash: 'tasks' })
    await page.getByRole('option').first().waitFor()
    await page.evaluate(() => window.fake.gone())
    await page.getByRole('alert').getByText('The space file is gone').waitFor()
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('44 tasks').waitFor()
  })
})

describe('settings', () => {
  test('language, theme and font size hold at once', async () => {
    const page = await visit({ hash: 'settings' })
    await page.getByText('日本語', { exact: true }).click()
    await page.getByRole('heading', { name: '設定' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('ja')
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await paper()
    await page.getByText('ダーク', { exact: true }).click()
    expect(await paper()).not.toBe(light)
    await page.getByText('特大', { exact: true }).click()
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('17px')
  })

  test('what could not be saved is said', async () => {
    const page = await visit({ hash: 'settings' })
    await page.evaluate(() => window.fake.fail('saveSettings', 'io', 'The disk is full.'))
    await page.getByText('Large', { exact: true }).click()
    await page.locator('.toast').getByText('This was not saved: The disk is full.').waitFor()
  })

  test('members: added, refused, removed, and put back', async () => {
    const page = await visit({ hash: 'settings?section=space' })
    await page.getByRole('button', { name: 'Add a member' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('新人')
    await dialog.getByLabel('Id').fill('m2')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByText('There is a member “m2” already').waitFor()
    await dialog.getByLabel('Id').fill('m6')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Remove 新人' }).click()
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Remove 新人' }).waitFor()
    await page.getByRole('combobox', { name: 'You are' }).selectOption('m3')
    await page.getByText('Only an owner can change this.').waitFor()
  })
})

describe('everywhere', () => {
  test('the palette goes to a task, does a command, searches, and opens a link', async () => {
    const page = await visit()
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await page.keyboard.press('Control+k')
    await palette.locator('input').fill('ログイン画面の改修')
    await palette.getByRole('option', { name: /ログイン画面の改修/ }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('article').first().waitFor()
    expect(await place(page)).toBe('tasks?task=task:12')
    await page.keyboard.press('Control+k')
    await palette.locator('input').fill('theme: dark')
    await page.keyboard.press('Enter')
    await until(page, () => document.documentElement.dataset['theme'] === 'dark')
    await page.keyboard.press('Control+k')
    await palette.locator('input').fill('満月')
    await palette.getByRole('option', { name: 'Search for “満月”' }).click()
    await page.locator('mark').first().waitFor()
    await page.keyboard.press('Control+k')
    await palette.locator('input').fill('kiroku://space/0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31/tasks?task=task:15')
    await page.keyboard.press('Enter')
    await until(page, () => location.hash.includes('task%3A15'))
  })

  test('a link from outside goes to its place, and one to another space goes nowhere', async () => {
    const page = await visit()
    await page.evaluate(() => window.fake.emit({ kind: 'link', link: 'kiroku://space/0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31/tasks?task=task:12' }))
    await page.locator('article').first().waitFor()
    await page.evaluate(() => window.fake.emit({ kind: 'link', link: 'kiroku://space/00000000-0000-7000-8000-000000000000/tasks' }))
    await page.locator('.toast').getByText('This link is for another space').waitFor()
    expect(await place(page)).toBe('tasks?task=task:12')
  })

  test('the place is copied as a link', async () => {
    const page = await visit({ hash: 'search?q=認証' })
    await page.getByRole('button', { name: 'Copy a link to this place' }).click()
    await page.getByText('Link copied').waitFor()
    expect(await page.evaluate(() => window.fake.clipboard())).toBe(`kiroku://space/0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31/search?q=${encodeURIComponent('認証')}`)
  })

  test('dividers are moved by keys and remembered', async () => {
    const page = await visit({ hash: 'tasks' })
    const divider = page.getByRole('separator', { name: 'Width of the list' })
    const before = Number(await divider.getAttribute('aria-valuenow'))
    await divider.focus()
    await page.keyboard.press('ArrowRight')
    expect(Number(await divider.getAttribute('aria-valuenow'))).toBe(before + 16)
    await page.reload()
    await until(page, () => document.querySelector('[role=separator][aria-label="Width of the list"]') !== null)
    expect(Number(await divider.getAttribute('aria-valuenow'))).toBe(before + 16)
  })

  test('nothing reaches past the smallest window, at any size of text', async () => {
    for (const lang of ['ja', 'en'])
      for (const size of ['13', '17']) {
        const page = await visit({ lang, size: [900, 600], hash: 'search?q=認証&kind=request&author=m1&state=closed&since=2026-06-01&at=comment:88', more: { size } })
        await page.locator('article').first().waitFor()
        const out = await page.evaluate(() => [...document.querySelectorAll('.toolbar *')].filter((it) => it.getBoundingClientRect().right > innerWidth + 1).length)
        expect(out, `${lang} ${size}`).toBe(0)
        expect(await page.locator(field).evaluate((it) => it.getBoundingClientRect().width)).toBeGreaterThan(80)
      }
  })
})
