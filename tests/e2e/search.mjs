// First run, spaces, importing and search, in the real window.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { app, articles, count, DARK, FIELD, HEADER, hits, intoTheSample, kiroku, marks, place, search, session, settled, shoot } from './setup.mjs'
import { inAFolder, KEY } from './webview.mjs'

test('from the first run to a hit, what was said around it, and back', () =>
  app({}, async (page) => {
    await page.sees('the ways in', () => document.querySelectorAll('.way').length === 3)
    await shoot(page, 'first-run')
    await intoTheSample(page)
    await page.type(FIELD, '認証')
    await page.sees('hits', () => document.querySelectorAll('[role=option] mark').length > 3)
    assert.deepEqual(new Set(await page.run(marks)), new Set(['認証']))
    assert.equal(await page.run(place), 'search?q=認証')
    await shoot(page, 'search')

    // Down to the second hit and into it, by the keyboard alone.
    await page.type(FIELD, KEY.down + KEY.enter)
    await page.sees('the conversation', () => document.querySelector('article[aria-current] mark') !== null)
    const opened = await page.run(place)
    assert.match(opened, /^search\?q=認証&at=comment:\d+$/)
    const few = await page.run(articles)
    await shoot(page, 'drill-down')
    await page.click('.more button')
    await page.sees('more of it', (few) => document.querySelectorAll('article').length > few, few)
    await shoot(page, 'drill-down-more')

    // Escape leaves the conversation for the hits, and the hits for the field.
    await page.run(() => document.querySelector('article[aria-current]').focus())
    await page.press(KEY.escape)
    await page.sees('the list focused', () => document.activeElement.role === 'listbox')
    await page.press(KEY.escape)
    await page.sees('the field focused', (field) => document.activeElement.matches(field), FIELD)
    await page.press(KEY.alt, KEY.left)
    await page.sees('the search alone', () => !location.hash.includes('at=') && document.querySelector('article') === null)
    assert.equal(await page.run(place), 'search?q=認証')
    assert((await page.run(hits)) > 3, 'the hits are still there')
    assert.equal(await page.run((field) => document.querySelector(field).value, FIELD), '認証')
  }))

test('a folder with sessions is imported, with progress, and searched', () =>
  inAFolder(async (folder) => {
    const [data, project] = [join(folder, 'app'), join(folder, 'amber')]
    const sessions = join(data, 'home/.claude/projects/-amber')
    await mkdir(sessions, { recursive: true })
    await mkdir(project)
    await writeFile(join(sessions, 'long.jsonl'), session(project, 'a', 1_500))
    await writeFile(join(sessions, 'short.jsonl'), session(project, 'b', 3))
    await writeFile(join(sessions, 'other.jsonl'), session('/somewhere/else', 'c', 3))
    const space = join(project, '.kiroku/space.db')
    kiroku(['--space', space, 'space', 'new', '--name', 'こはく', '--member', 'haruka'])

    await app({ data, location: space }, async (page) => {
      await page.sees('the space', () => document.title.startsWith('こはく'))
      await page.run(() => (location.hash = 'settings?section=import'))
      await page.sees('what was found', () => document.querySelector('[data-row] input') !== null)
      // The two that worked here, and not the third.
      assert.match(await page.run(() => document.querySelector('[data-row]').innerText), /amber[^]*Claude Code[^]*\b2\b/)
      assert.equal(await page.run(() => document.querySelectorAll('[data-row]').length), 1)
      await shoot(page, 'import')
      await page.run(() => {
        window.seen = []
        new MutationObserver(() => {
          const bar = document.querySelector('.run progress, .run [role=progressbar]')
          if (bar) window.seen.push(bar.value ?? Number(bar.ariaValueNow))
        }).observe(document.body, { subtree: true, childList: true, attributes: true })
      })
      await page.click('main .go .primary')
      await page.sees('the report', () => document.querySelector('.report') !== null)
      await shoot(page, 'imported')
      const seen = await page.run(() => window.seen)
      assert(seen.some((value) => value > 0), 'no progress was shown')
      assert.deepEqual(seen, seen.toSorted((a, b) => a - b), 'progress went back')
      assert.match(await page.run(() => document.querySelector('.report').innerText), /2/)

      await page.run(() => (location.hash = 'search'))
      await page.sees('the field', (field) => document.querySelector(field) !== null, FIELD)
      await search(page, '琥珀の粒 1499')
      await page.sees('the hit', () => document.querySelector('[role=option]')?.innerText.includes('琥珀の粒 1499'))
    })
    const told = kiroku(['--space', space, 'space', 'info'])
    assert.match(told, /tasks +2\b/)
    assert.match(told, /comments +1503\b/)
  }))

test('a folder that is given to the program becomes a space with its sessions, and what agents write there comes in by itself', () =>
  inAFolder(async (folder) => {
    const [data, project] = [join(folder, 'app'), join(folder, 'recipes')]
    const sessions = join(data, 'home/.claude/projects/-recipes')
    await mkdir(sessions, { recursive: true })
    await mkdir(project)
    // Committed sessions of an agent, as if it had worked in this folder.
    for (const name of ['recipes-en', 'karuta-ja']) {
      const text = await readFile(new URL(`../fixtures/claude-code/${name}.jsonl`, import.meta.url), 'utf8')
      await writeFile(join(sessions, `${name}.jsonl`), text.replaceAll(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(project)}`))
    }
    await app({ data, location: project }, async (page) => {
      await page.sees('what is in the folder', () => document.querySelector('dialog .found input')?.checked)
      assert.match(await page.run(() => document.querySelector('dialog').innerText), /Claude Code[^]*2 件/)
      assert.equal(await page.run(() => document.querySelector('dialog input:not([type=checkbox])').value), 'recipes')
      await shoot(page, 'folder-given')
      await page.click('dialog .primary')
      await page.sees('the space', () => document.title.startsWith('recipes'))
      await page.sees('what was imported', () => /取り込みました/.test(document.querySelector('.strip')?.innerText))
      await page.sees('the watch', () => /監視中/.test(document.querySelector('button.watch')?.innerText))
      await search(page, '札')
      await page.sees('hits', () => document.querySelectorAll('[role=option] mark').length > 0)
      await shoot(page, 'folder-imported')

      // An agent writes on: it is found without a touch, and the side bar says what came.
      await search(page, '琥珀の粒')
      await page.sees('that nothing is found', () => document.querySelector('.notice') !== null && document.querySelectorAll('[role=option]').length === 0)
      await writeFile(join(sessions, 'new.jsonl'), session(project, 'd', 4))
      await page.sees('the new hit', () => document.querySelector('[role=option] mark')?.textContent === '琥珀の粒')
      await page.sees('what came', () => /コメント 4 件/.test(document.querySelector('button.watch')?.innerText))
      await shoot(page, 'watched')
    })
    // The wish holds at the next start: what was written meanwhile comes in.
    await writeFile(join(sessions, 'later.jsonl'), session(project, 'e', 3))
    await app({ data }, async (page) => {
      await page.sees('the space', () => document.title.startsWith('recipes'))
      await page.sees('what came meanwhile', () => /コメント 3 件/.test(document.querySelector('button.watch')?.innerText))
      await page.run(() => (location.hash = 'settings?section=import'))
      await page.sees('how it stands', () => document.querySelector('.state .dot') !== null)
      await page.click('.state button')
      await page.sees('the rest', () => /一時停止中/.test(document.querySelector('button.watch')?.innerText))
    })
  }))

test('what another process brings in appears by itself, among the hits and in the open conversation', () =>
  inAFolder((data) =>
    app({ data }, async (page) => {
      await intoTheSample(page)
      const space = join(data, 'sample/.kiroku/space.db')
      const task = { type: 'task', id: 12, uid: '019ee470-5e70-7cc3-bb4a-a4f211858e4f', title: 'ログイン画面の改修', piece: 'default', state: 'completed', owner: 'm1', created: '2026-06-20T09:50:30Z', updated: '2026-09-01T00:00:00Z' }
      const bring = (body, seq) => {
        const comment = { type: 'comment', id: 9_000 + seq, task: 12, author: 'user', member: 'm1', kind: 'request', body, created: `2026-09-01T00:00:0${seq % 10}Z`, seq }
        return kiroku(['--space', space, 'import', '--from', 'kiroku', '-'], [HEADER, task, comment].map((row) => `${JSON.stringify(row)}\n`).join(''))
      }
      await search(page, '金木犀の香り')
      await page.sees('that nothing is found', () => document.querySelector('.notice') !== null && document.querySelectorAll('[role=option]').length === 0)
      bring('窓を開けたら金木犀の香りがしました。', 901)
      await page.sees('the new hit', () => document.querySelector('[role=option] mark')?.textContent === '金木犀の香り')
      await shoot(page, 'live-hit')

      await page.run(() => (location.hash = 'tasks?task=task:12'))
      await page.sees('the conversation', () => document.querySelectorAll('article').length > 3)
      bring('銀木犀も咲きました。', 902)
      await page.sees('the new comment', () => {
        const list = document.querySelector('.conversation')
        list?.scrollTo(0, list.scrollHeight)
        return [...document.querySelectorAll('article')].some((one) => one.innerText.includes('銀木犀も咲きました'))
      })
    }),
  ))

test('a search that is typed fast shows the last answer only', () =>
  inAFolder((data) =>
    app({ data }, async (page) => {
      await intoTheSample(page)
      const words = 'セッション'
      // The length of the marked words tells which question an answer belongs to.
      await page.run(() => {
        window.shown = []
        new MutationObserver(() => {
          const mark = document.querySelector('[role=option] mark')
          if (mark) window.shown.push(mark.textContent.length)
        }).observe(document.body, { subtree: true, childList: true, characterData: true })
      })
      const type = (text, field) => {
        const input = document.querySelector(field)
        input.focus()
        for (let end = 1; end <= text.length; end++) {
          input.value = text.slice(0, end)
          input.dispatchEvent(new InputEvent('input', { bubbles: true, data: text[end - 1] }))
        }
      }
      const expected = JSON.parse(kiroku(['--space', join(data, 'sample/.kiroku/space.db'), 'search', '--json', '--limit', '50', words]))
      for (const fast of [true, false]) {
        await page.clear(FIELD)
        await page.sees('an empty search', () => document.querySelectorAll('[role=option]').length === 0)
        await page.run(() => (window.shown.length = 0))
        if (fast) await page.run(type, words, FIELD)
        else await page.type(FIELD, words)
        await page.sees('the last answer', (words) => document.querySelector('[role=option] mark')?.textContent === words, words)
        await page.sees('rest', settled)
        assert.deepEqual(new Set(await page.run(marks)), new Set([words]))
        assert.match(await page.run(count), new RegExp(`\\b${expected.total}\\b`))
        const shown = await page.run(() => window.shown)
        assert.deepEqual(shown, shown.toSorted((a, b) => a - b), 'an older answer was shown after a newer one')
      }
      // Every question but the last finds something: none of that may stay, or come back.
      await page.run(type, `${words}量子テレポート彗星`, FIELD)
      await page.sees('that nothing is found', () => document.querySelector('[data-list] .notice') !== null)
      await page.sees('rest', settled)
      assert.equal(await page.run(hits), 0)
    }),
  ))

test('a key that is held down goes on working', () =>
  app({}, async (page) => {
    await intoTheSample(page)
    await search(page, 'の')
    await page.sees('hits', () => document.querySelectorAll('[role=option]').length > 3)
    await page.type(FIELD, KEY.enter)
    await page.sees('the conversation', () => document.querySelector('article[aria-current]') !== null)
    // The webview refuses to have the page's address changed more than 100 times in half a minute.
    await page.run((field) => {
      const press = (key) => document.querySelector(field).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      for (let time = 0; time < 130; time++) press(time % 2 === 0 ? 'ArrowDown' : 'ArrowUp')
    }, FIELD)
    await page.clear(FIELD)
    await page.type(FIELD, '認証')
    await page.sees('the answer', () => document.querySelector('[role=option] mark')?.textContent === '認証')
    await page.type(FIELD, KEY.down + KEY.enter)
    await page.sees('the conversation', () => document.querySelector('article[aria-current] mark')?.textContent === '認証')
  }))

test('the Enter that ends a composition belongs to the input method', () =>
  app({}, async (page) => {
    await intoTheSample(page)
    await page.type(FIELD, '認')
    await page.sees('hits', () => document.querySelectorAll('[role=option] mark').length > 3)
    const compose = (selector) => {
      const input = document.querySelector(selector)
      input.focus()
      input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true, data: '' }))
      for (const reading of ['し', 'しょ', 'しょう', '証']) {
        input.dispatchEvent(new CompositionEvent('compositionupdate', { bubbles: true, data: reading }))
        input.value = `認${reading}`
        input.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing: true, inputType: 'insertCompositionText', data: reading }))
      }
      const key = new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })
      return input.dispatchEvent(key)
    }
    assert.equal(await page.run(compose, FIELD), true, 'the Enter of the input method was taken from it')
    await page.frames()
    assert.equal(await page.run(place), 'search?q=認', 'something was done before the composition ended')
    assert.equal(await page.run((field) => document.querySelector(field).value, FIELD), '認証')

    // WebKit tells the end first, and then of the key, with the code of one that was handled elsewhere.
    const end = (selector) => {
      const input = document.querySelector(selector)
      input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '証' }))
      const key = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })
      Object.defineProperty(key, 'keyCode', { value: 229 })
      return input.dispatchEvent(key)
    }
    assert.equal(await page.run(end, FIELD), true, 'the Enter of the input method was taken from it')
    await page.sees('the answer', () => document.querySelector('[role=option] mark')?.textContent === '認証')
    assert.equal(await page.run(place), 'search?q=認証', 'a hit was opened')
    assert.equal(await page.run(articles), 0)
    // The person's own Enter opens.
    await page.type(FIELD, KEY.enter)
    await page.sees('the conversation', () => document.querySelector('article[aria-current] mark') !== null)
  }))

test('a space is made by hand, in the dark', () =>
  inAFolder((data) =>
    app({ data, environment: DARK }, async (page) => {
      await page.sees('the ways in', () => document.querySelectorAll('.way').length === 3)
      await shoot(page, 'first-run-dark')
      await page.click('.ways li:nth-child(2) .way')
      await page.sees('the form', () => document.querySelectorAll('dialog input').length === 2)
      await page.type('dialog input', 'Amber')
      await page.sees('a place for it', () => document.querySelector('dialog .path').innerText.endsWith('Amber.db'))
      assert.equal(await page.run(() => document.querySelectorAll('dialog input')[1].value), 'haruka')
      await shoot(page, 'create-dark')
      await page.click('dialog .primary')
      await page.sees('the space', () => document.title === 'Amber – Kiroku')
      assert.match(kiroku(['--space', join(data, 'spaces/Amber.db'), 'space', 'info']), /Amber/)
      await shoot(page, 'empty-space-dark')
    }),
  ))

test('the app begins where it was left', () =>
  inAFolder(async (data) => {
    const left = await app({ data, environment: DARK }, async (page) => {
      await intoTheSample(page)
      await page.type(FIELD, 'rate limit')
      await page.sees('hits', () => document.querySelectorAll('[role=option] mark').length > 3)
      await page.type(FIELD, KEY.enter)
      await page.sees('the conversation', () => document.querySelector('article[aria-current] mark') !== null)
      await shoot(page, 'drill-down-dark')
      return page.run(place)
    })
    await app({ data, environment: DARK }, async (page) => {
      await page.sees('the space', () => document.querySelector('nav [aria-current=page]') !== null)
      await page.sees('the conversation', () => document.querySelector('article[aria-current] mark') !== null)
      assert.equal(await page.run(place), left)
    })
  }))
