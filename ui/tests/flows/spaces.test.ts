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
    // From there on sessions come in by themselves, unless the person says otherwise.
    await page.getByRole('button', { name: /Watching sessions/ }).waitFor()
    await strip.getByRole('button', { name: '2 things could not be read' }).click()
    // Where the import is shown large it is said once.
    await strip.waitFor({ state: 'detached' })
    expect(await page.getByText('Imported 44 tasks and 9,204 comments.').count()).toBe(1)
    await page.getByText('2 things could not be read').click()
    await page.getByText('not JSON').waitFor()
    await page.locator('.skip').first().getByRole('button', { name: 'Show in the file manager' }).click()
    expect(await page.evaluate(() => window.fake.calls('reveal'))).toBe(1)
    await page.getByRole('button', { name: 'Copy this list' }).click()
    expect(await page.evaluate(() => window.fake.clipboard())).toContain('0b7c-2.jsonl:118  not JSON')
  })

  test('a folder that was given to the program is looked into at once', async () => {
    const page = await visit({ begin: 'none', more: { given: '/home/haruka/kohaku' } })
    await page.getByRole('dialog').getByText('38 sessions, 214 MB').waitFor()
    await page.keyboard.press('Escape')
    await page.evaluate(() => window.fake.emit({ kind: 'folder', path: '/home/haruka/empty' }))
    await page.getByRole('dialog').getByText('No agent has left anything here').waitFor()
  })

  test('an empty space leads to importing', async () => {
    const page = await visit({ begin: 'empty' })
    await page.getByRole('button', { name: 'Import conversations' }).click()
    await page.getByRole('grid').waitFor()
  })

  test('an import that is stopped keeps what it brought in, and says so', async () => {
    const page = await visit({ hash: 'settings?section=import' })
    await page.evaluate(() => window.fake.hold('importStep'))
    await page.getByRole('button', { name: 'Import 44 sessions' }).click()
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
    await page.getByText('Nothing to search yet').waitFor()
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

describe('importing', () => {
  const row = (nth: number) => `[data-row="${nth}"]`

  test('which sessions: found by folder and agent, searched through, chosen and left out, by keys', async () => {
    const page = await visit({ hash: 'settings?section=import', more: { folders: '400' } })
    await page.getByRole('button', { name: 'Import 44 sessions' }).waitFor()
    await page.getByText('All folders', { exact: true }).nth(1).click()
    await page.locator(row(5)).waitFor()
    // Of hundreds few stand in the page.
    expect(await page.locator('[data-row]').count()).toBeLessThan(40)
    await page.getByLabel('Filter by folder or agent').fill('ledger')
    await until(page, () => document.querySelectorAll('[data-row]').length < 30 && document.querySelector('[data-row="0"]')!.textContent!.includes('ledger'))
    await page.getByLabel('Filter by folder or agent').fill('kohaku')
    await page.getByRole('button', { name: 'Import 44 sessions' }).waitFor()
    await page.locator(`${row(0)} input`).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Import 13 sessions' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await until(page, () => document.activeElement?.closest('[data-row="1"]') !== null)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Leave out this folder' }).press('Enter')
    await page.locator('.toast').getByText('/home/haruka/kohaku is left out from now on').waitFor()
    await until(page, () => document.querySelectorAll('.row.out').length === 3)
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
    await until(page, () => document.querySelectorAll('.row.out').length === 0)
    await page.getByLabel('Filter by folder or agent').fill('nowhere')
    await page.getByText('No folder and no agent fits.').waitFor()
  })

  test('what could not be looked for, and nothing found, with the next step', async () => {
    const page = await visit({})
    await page.evaluate(() => {
      window.fake.fail('foundSessions', 'io', 'The disk could not be read.')
      location.hash = 'settings?section=import'
    })
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await page.locator(row(0)).waitFor()
    const none = await visit({ hash: 'settings?section=import', more: { sessions: 'none' } })
    await none.getByText('Looked in /home/haruka/.claude/projects').waitFor()
    await none.getByRole('button', { name: 'Look in all folders' }).click()
    await none.getByText('No agent’s sessions were found on this computer.').waitFor()
  })

  test('sessions that come in by themselves: on, what they brought, a rest, off', async () => {
    const page = await visit({ hash: 'settings?section=import' })
    expect(await page.locator('button.watch').count()).toBe(0)
    await page.getByText('This folder', { exact: true }).click()
    await page.locator('button.watch').getByText('Watching sessions').waitFor()
    await page.evaluate(() => {
      const last = { at: '2026-08-20T05:58:00Z', source: 'codex', tasks: 0, comments: 5, changed: 0, skipped: 0 }
      window.fake.emit({ kind: 'watched', watched: { space: '', wish: { on: true, everywhere: false }, phase: 'watching', done: null, note: null, last, comments: 5 } })
    })
    await page.getByText('5 comments from Codex').waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.locator('button.watch').getByText('Watching is paused').waitFor()
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.locator('button.watch').getByText('Watching sessions').waitFor()
    await page.getByText('Off', { exact: true }).click()
    await page.locator('button.watch').waitFor({ state: 'detached' })
  })

  test('the index being built is told quietly, and no longer when it is whole', async () => {
    const page = await visit({})
    const tell = (done: number, ended: boolean) =>
      page.evaluate(([done, ended]) => window.fake.emit({ kind: 'indexing', done: done as number, total: 1000, ended: ended as boolean }), [done, ended])
    await tell(320, false)
    const strip = page.getByRole('region', { name: 'Building the index' })
    await strip.getByText('32%').waitFor()
    await tell(1000, true)
    await strip.waitFor({ state: 'detached' })
  })

  test('an import that stops says why and goes on when asked', async () => {
    const page = await visit({ hash: 'settings?section=import' })
    await page.evaluate(() => window.fake.fail('importStep', 'io', 'The disk is full.'))
    await page.getByRole('button', { name: 'Import 44 sessions' }).click()
    await page.getByRole('alert').getByText('The disk is full.').waitFor()
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await page.locator('.report').getByText('Imported 44 tasks').waitFor()
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
    await page.getByRole('treeitem').first().waitFor()
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

describe('settings of a space', () => {
  test('it is checked, mended, and what can not be mended is said', async () => {
    const page = await visit({ hash: 'settings?section=space', more: { health: 'faults' } })
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('2 references lead nowhere').waitFor()
    await page.getByRole('button', { name: 'Mend' }).click()
    await page.getByText('1 fault mended.').waitFor()
    await page.getByText('Everything is whole.').waitFor()
    await page.evaluate(() => window.fake.fail('checkSpace', 'busy', 'Another process has the space.'))
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('alert').getByText('Another process has the space.').waitFor()
  })

  test('limits of records: set, refused with the reason, and put back', async () => {
    const page = await visit({ hash: 'settings?section=memory' })
    const length = page.getByRole('spinbutton', { name: 'Length of a record' })
    await length.fill('0')
    await length.press('Enter')
    await page.getByRole('alert').getByText('nothing was changed').waitFor()
    await length.fill('7000')
    await length.press('Enter')
    await page.locator('.toast').getByText('Saved').waitFor()
    await page.getByRole('button', { name: 'Back to 8,000' }).click()
    await until(page, () => [...document.querySelectorAll('input')].some((input) => input.value === '8000'))
  })

  test('the text that sets an agent up is copied', async () => {
    const page = await visit({ hash: 'settings?section=agents' })
    await page.getByRole('button', { name: 'Copy: Claude Code' }).click()
    expect(await page.evaluate(() => window.fake.clipboard())).toMatch(/^claude mcp add kiroku -- kiroku mcp --space/)
  })
})

describe('everywhere', () => {
  test('by keys alone: from the first run to a hit and back, sessions by themselves and by choice, and out again', async () => {
    const page = await visit({ begin: 'first-run' })
    /** Goes on by Tab until the focus is on what has this name. */
    const tabTo = async (name: RegExp) => {
      for (let step = 0; step < 80; step++) {
        const found = await page.evaluate(() => {
          const { activeElement: it } = document
          return `${it?.getAttribute('aria-label') ?? ''} ${it instanceof HTMLInputElement ? (it.labels?.[0]?.textContent ?? '') : (it?.textContent ?? '')}`.trim()
        })
        if (name.test(found)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`no Tab leads to ${name}`)
    }
    await tabTo(/^Look round the sample space/)
    await page.keyboard.press('Enter')
    await page.locator(field).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('認証')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('article[aria-current]').waitFor()
    await page.keyboard.press('Alt+ArrowLeft')
    await page.locator('article').first().waitFor({ state: 'detached' })
    await page.keyboard.press('Control+,')
    await tabTo(/^Import$/)
    await page.keyboard.press('Enter')
    await page.locator('[data-row="0"]').waitFor()
    await tabTo(/^Off$/)
    await page.keyboard.press('ArrowRight')
    await page.locator('button.watch').getByText('Watching sessions').waitFor()
    await tabTo(/kohaku, Claude Code/)
    await page.keyboard.press('Space')
    await tabTo(/^Import 13 sessions/)
    await page.keyboard.press('Enter')
    await page.locator('.report').getByText('Imported 44 tasks').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('close this')
    await page.keyboard.press('Enter')
    await page.locator('.way').first().waitFor()
  })

  test('what breaks in a view is caught, said, and gone on from', async () => {
    const page = await visit({})
    // A fake that answers with nonsense: the view that shows it throws.
    await page.evaluate(() => window.fake.break('tasks', { total: 1, tasks: [{ ref: 'task:1' }] }))
    await page.keyboard.press('Control+2')
    await page.getByRole('alert').getByText('Something went wrong in this window').waitFor()
    expect(page.faults.splice(0).length).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('treeitem').first().waitFor()
  })

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
