// The editor of records, in the real window: what reaches the file, beside agents and git, and what survives a crash.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { app, place, shoot } from './setup.mjs'
import { childrenOf, inAFolder, KEY, until } from './webview.mjs'

const [, cli] = process.argv.slice(2)
const AMBER = 'knowledge:amber'
// As people leave files: a comment, quotes, an order of their own, a field that nobody knows, CRLF in one of them.
const FILES = {
  'knowledge/amber.md':
    '---\nkind: rule   # as agreed\ndescription: "琥珀の数え方"\nmodel_invokation: true\nuser_invocable: true\nreviewed_by: [haruka, tsumugi]\nlast_sources: []\ncreated_at: 2026-05-18T11:10:00+09:00\nupdated_at: 2026-07-02T11:30:00+09:00\n---\n\n# 琥珀\n\n一粒ずつ数える。\n\n割れたものは数えない。\n',
  'memory/decisions/count-by-hand.md':
    '---\r\ncreated_at: 2026-05-18T11:10:00+09:00\r\nupdated_at: 2026-07-02T11:30:00+09:00\r\nsources: []\r\nstatus: open\r\n---\r\n\r\n# 手で数える\r\n\r\nSee #amber.\r\n',
}

/** A space with those records in a folder that git keeps. */
async function inASpace(work) {
  await inAFolder(async (folder) => {
    const project = join(folder, 'amber')
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(join(project, path, '..'), { recursive: true })
      await writeFile(join(project, path), text)
    }
    const git = (...args) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'core.autocrlf=false', ...args], { cwd: project, encoding: 'utf8' })
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '--message', 'as it was')
    // The command line and the app keep their locks in one place, as they do on a person's computer.
    const data = join(folder, 'kiroku')
    const location = join(project, '.kiroku/space.db')
    const kiroku = (args, input = '') => execFileSync(resolve(cli), args, { input, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, LANG: 'en_US.UTF-8' } })
    kiroku(['--space', location, 'space', 'new', '--name', 'こはく', '--member', 'haruka'])
    const tool = (name, input) => JSON.parse(kiroku(['--space', location, 'tool', name, '--as', 'haruka'], JSON.stringify(input)))
    const file = (path) => readFile(join(project, path), 'utf8')
    await work({ data, location, git, tool, file })
  })
}

// What is on the page, as functions that run there.
const text = () => document.querySelector('[data-editor-text]')?.shadowRoot?.querySelector('.cm-content')?.innerText ?? null
const unsaved = () => document.querySelector('[data-editor] .unsaved') !== null
const banner = () => document.querySelector('[data-editor] .banner')?.innerText ?? ''
const focusText = () => document.querySelector('[data-editor-text]').shadowRoot.querySelector('.cm-content').focus()

async function open(page, ref) {
  await page.sees('the space', () => document.title.startsWith('こはく'))
  await page.run((ref) => (location.hash = `${ref.startsWith('knowledge') ? 'knowledge' : 'memory'}?at=${ref}`), ref)
  await page.sees('the text', text)
  await page.sees('the form', () => document.querySelector('[data-form] [data-field]') !== null)
}
/** Types at the end of the text, as a person does. */
async function typeAtEnd(page, words) {
  await page.run(focusText)
  await page.press(KEY.control, KEY.end)
  await page.keys(words)
}
async function save(page) {
  await page.press(KEY.control, 's')
  await page.sees('that it is saved', () => document.querySelector('[data-editor] .unsaved') === null)
}
/** The lines that git sees changed. */
const changed = (git, path) =>
  git('diff', '--unified=0', '--', path)
    .split('\n')
    .filter((line) => /^[-+](?![-+])/.test(line))

test('one field by the form: git sees its line changed, and that of updated_at', () =>
  inASpace(({ data, location, git, file }) =>
    app({ data, location }, async (page) => {
      await open(page, AMBER)
      await shoot(page, 'editor')
      await page.type('[data-field=kind] input', 's')
      await page.sees('that it is not saved', unsaved)
      await save(page)
      const lines = changed(git, 'knowledge/amber.md')
      assert.equal(lines.length, 4, lines.join('\n'))
      assert.deepEqual(lines.slice(0, 1), ['-kind: rule   # as agreed'])
      assert(lines.includes('+kind: rules   # as agreed'), lines.join('\n'))
      assert(lines.includes('-updated_at: 2026-07-02T11:30:00+09:00'))
      assert.match(lines.at(-1), /^\+updated_at: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00$/, 'in the zone that it was written in')

      // The life of a decision, in a file with CRLF at its line ends.
      await open(page, 'decision:count-by-hand')
      await page.click('.facts .status')
      await page.sees('the menu', () => document.activeElement?.role === 'menuitemradio')
      await page.press(KEY.down)
      await page.press(KEY.enter)
      await page.sees('that it is not saved', unsaved)
      await save(page)
      const decision = changed(git, 'memory/decisions/count-by-hand.md')
      assert.equal(decision.length, 4, decision.join('\n'))
      assert(decision.includes('+status: resolved\r'), decision.join('\n'))
      assert((await file('memory/decisions/count-by-hand.md')).split('\n').slice(0, -1).every((line) => line.endsWith('\r')))
    }),
  ))

test('an agent edits the file while it is edited here: a merge, and both texts are in the file', () =>
  inASpace(({ data, location, tool, file }) =>
    app({ data, location }, async (page) => {
      await open(page, AMBER)
      await typeAtEnd(page, 'Mine, from the window.')
      await page.sees('that it is not saved', unsaved)
      tool('MemoryEdit', { kind: 'knowledge', slug: 'amber', old_string: '一粒ずつ数える。', new_string: '二人で一粒ずつ数える。' })
      await page.sees('that the file changed', () => document.querySelector('[data-editor] .banner .primary') !== null)
      await shoot(page, 'editor-changed')
      await page.press(KEY.control, 's')
      await page.sees('the merge', () => document.querySelector('dialog [data-merge]')?.shadowRoot?.querySelector('.cm-merge-b') ?? false)
      await shoot(page, 'editor-merge')
      assert(!(await file('knowledge/amber.md')).includes('Mine'), 'nothing is saved before the person says so')
      await page.click('dialog footer .primary')
      await page.sees('that it is saved', () => document.querySelector('dialog') === null && document.querySelector('[data-editor] .unsaved') === null)
      const merged = await file('knowledge/amber.md')
      assert(merged.includes('二人で一粒ずつ数える。'), merged)
      assert(merged.includes('Mine, from the window.'), merged)

      // The same lines, and both again.
      await typeAtEnd(page, ' And more.')
      tool('MemoryEdit', { kind: 'knowledge', slug: 'amber', old_string: 'Mine, from the window.', new_string: 'Mine, from the window, mended.' })
      await page.sees('that the file changed', () => document.querySelector('[data-editor] .banner .primary') !== null)
      await page.click('[data-editor] .banner .primary')
      await page.sees('the place to choose for', () => document.querySelectorAll('dialog .choose input').length === 3)
      await shoot(page, 'editor-conflict')
      await page.run(() => document.querySelectorAll('dialog .choose input')[2].click())
      await page.click('dialog footer .primary')
      await page.sees('that it is saved', () => document.querySelector('dialog') === null && document.querySelector('[data-editor] .unsaved') === null)
      const both = await file('knowledge/amber.md')
      assert(both.includes('Mine, from the window, mended.'), both)
      assert(both.includes('Mine, from the window. And more.'), both)
      assert(!both.includes('<<<<<<<'))

      // Untouched here, the text follows what the agent writes.
      tool('MemoryEdit', { kind: 'knowledge', slug: 'amber', old_string: '割れたものは', new_string: '欠けたものは' })
      await page.sees('the new text', () => document.querySelector('[data-editor-text]').shadowRoot.textContent.includes('欠けたものは'))
    }),
  ))

test('a person saves with errors: warned, saved and shown', () =>
  inASpace(({ data, location, file }) =>
    app({ data, location }, async (page) => {
      await open(page, 'decision:count-by-hand')
      await page.click('.facts .form')
      await page.sees('the frontmatter', () => document.querySelector('[data-form]') === null)
      await page.run(focusText)
      await page.press(KEY.control, KEY.home)
      for (let line = 0; line < 4; line++) await page.press(KEY.down)
      await page.press(KEY.end)
      await page.keys('ed')
      await page.sees('the error', () => document.querySelector('[data-editor] footer .error') !== null)
      await save(page)
      await page.sees('the warning', () => document.querySelector('[data-editor] .banner [role=alert]') !== null)
      assert.match(await page.run(banner), /エラーが 1 件/)
      assert.match(await page.run(() => document.querySelector('.problems').innerText), /opened/)
      await shoot(page, 'editor-saved-errors')
      assert((await file('memory/decisions/count-by-hand.md')).includes('status: opened\r\n'))
    }),
  ))

test('the app is killed while somebody types: the words are there when it starts again', () =>
  inASpace(async ({ data, location, file }) => {
    const words = 'Not saved yet.'
    const kept = async () => {
      const files = await readdir(data, { recursive: true, withFileTypes: true })
      const texts = await Promise.all(files.filter((one) => one.isFile() && /draft/.test(join(one.parentPath, one.name))).map((one) => readFile(join(one.parentPath, one.name), 'utf8')))
      return texts.some((text) => text.includes('Unsaved words'))
    }
    await assert.rejects(
      app({ data, location }, async (page) => {
        await open(page, AMBER)
        await typeAtEnd(page, 'Unsaved words. ')
        await until('that they are kept', kept)
        // In the middle of a word, with no time to say farewell.
        await page.keys('and hal')
        for (const { pid } of childrenOf(page.driver)) process.kill(pid, 'SIGKILL')
        await page.run(() => document.title)
      }),
    )
    assert(!(await file('knowledge/amber.md')).includes('Unsaved words'))
    await app({ data, location }, async (page) => {
      // It begins where it was left.
      await page.sees('the text', text)
      assert.equal(await page.run(place), `knowledge?at=${AMBER}`)
      await page.sees('that a draft was restored', () => /\d\d:\d\d の下書きを復元しました/.test(document.querySelector('[data-editor] .banner')?.innerText ?? ''))
      assert((await page.run(text)).includes('Unsaved words.'))
      await shoot(page, 'editor-draft')
      await typeAtEnd(page, words)
      await save(page)
    })
    const saved = await file('knowledge/amber.md')
    assert(saved.includes('Unsaved words.') && saved.includes(words), saved)
    await app({ data, location }, async (page) => {
      await page.sees('the text', text)
      await page.sees('the form', () => document.querySelector('[data-form] [data-field]') !== null)
      assert.equal(await page.run(banner), '', 'what is saved leaves no draft')
    })
  }))

test('Japanese by composition lands once', () =>
  inASpace(({ data, location, file }) =>
    app({ data, location }, async (page) => {
      await open(page, AMBER)
      await typeAtEnd(page, 'x')
      await page.wait((done) => {
        const content = document.querySelector('[data-editor-text]').shadowRoot.querySelector('.cm-content')
        const line = content.querySelector('.cm-line:last-child')
        const node = line.firstChild.nodeType === 3 ? line.firstChild : line.firstChild.firstChild
        const before = node.data
        const say = (type, data) => content.dispatchEvent(new CompositionEvent(type, { data, bubbles: true, composed: true }))
        const frame = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
        const put = async (text) => {
          say('compositionupdate', text)
          node.data = before + text
          getSelection().collapse(node, node.data.length)
          content.dispatchEvent(new InputEvent('input', { inputType: 'insertCompositionText', data: text, isComposing: true, bubbles: true, composed: true }))
          await frame()
        }
        ;(async () => {
          say('compositionstart', '')
          for (const step of ['き', 'きろ', 'きろく', '記録']) await put(step)
          // The save that is asked for in the middle is not meant.
          content.dispatchEvent(new KeyboardEvent('keydown', { key: 's', ctrlKey: true, isComposing: true, bubbles: true, composed: true }))
          await frame()
          say('compositionend', '記録')
          await frame()
          done()
        })()
      })
      assert.equal((await page.run(text)).match(/記録/g)?.length, 1)
      assert(!(await page.run(text)).includes('きろ'))
      assert(!(await file('knowledge/amber.md')).includes('記録'))
      await save(page)
      const saved = await file('knowledge/amber.md')
      assert.equal(saved.match(/記録/g)?.length, 1, saved)
      assert(saved.endsWith('\nx記録'), saved.slice(-40))
    }),
  ))

test('typing, choosing and finding in the real webview', () =>
  inASpace(({ data, location, file }) =>
    app({ data, location }, async (page) => {
      await open(page, AMBER)
      await typeAtEnd(page, 'one two')
      // A selection in a shadow root is the webview's own affair: what is chosen is what is replaced.
      await page.press(KEY.shift, KEY.control, KEY.left)
      await page.keys('three')
      await page.press(KEY.enter)
      await page.keys('See #amb')
      await page.sees('the completion', () => document.querySelector('[data-editor-text]').shadowRoot.querySelector('.cm-tooltip-autocomplete [aria-selected]') !== null)
      await page.press(KEY.escape)
      await page.press(KEY.control, 'f')
      await page.sees('the field', () => document.activeElement?.closest('.find') !== null)
      await page.keys('数え')
      await page.sees('the count', () => /3/.test(document.querySelector('.find .count')?.textContent ?? ''))
      await page.press(KEY.escape)
      await page.sees('that it is closed', () => document.querySelector('.find') === null)
      await save(page)
      assert((await file('knowledge/amber.md')).endsWith('\none three\nSee #amb'), await file('knowledge/amber.md'))
    }),
  ))
