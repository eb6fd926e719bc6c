// Tasks, conversations and importing, in the real window.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { app, FIELD, kiroku, place, search, session, shoot } from './setup.mjs'
import { inAFolder, KEY, until } from './webview.mjs'

/** A space of its own, and a folder for session files that worked in its folder. */
async function aSpace(folder) {
  const project = join(folder, 'amber')
  const sessions = join(folder, 'sessions')
  await mkdir(project)
  await mkdir(sessions)
  const space = join(project, '.kiroku/space.db')
  kiroku(['--space', space, 'space', 'new', '--name', 'こはく', '--member', 'haruka'])
  const bring = (file) => kiroku(['--space', space, 'import', '--from', 'claude-code', file])
  return { project, sessions, space, bring }
}

/** A long session: answers without end, in the middle of them a tool call, and a word that stands once. */
function story(cwd, length) {
  const lines = session(cwd, 'd', length).trimEnd().split('\n').map((line) => JSON.parse(line))
  const at = Math.floor(length / 2)
  lines[at].message.content = [{ type: 'text', text: '**決めました**: 琥珀は `data/amber.csv` に書き出します。〈銀河〉' }]
  lines[at + 1].message.content = [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls -l data', description: '書き出したものを見る' } }]
  lines[at + 2] = {
    ...lines[at + 2],
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'amber.csv 12 KB 〈流星〉' }] },
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const target = () => document.querySelector('article[aria-current]')
const status = () => document.querySelector('.find [role=status]')?.innerText.replace(/\s+/g, ' ').trim()
/** Whether something stands within the conversation's frame. */
const inSight = (css) => {
  const [it, frame] = [document.querySelector(css)?.getBoundingClientRect(), document.querySelector('[role=feed]')?.getBoundingClientRect()]
  return it !== undefined && it.top >= frame.top - 1 && it.bottom <= frame.bottom + 1
}

test('a long conversation from its hit: found in, unfolded, pinned, and a decision made of it', () =>
  inAFolder(async (folder) => {
    const { project, sessions, space, bring } = await aSpace(folder)
    const file = join(sessions, 'story.jsonl')
    await writeFile(file, story(project, 3_000))
    bring(file)
    await app({ data: join(folder, 'app'), location: space }, async (page) => {
      await page.sees('the space', () => document.title.startsWith('こはく'))
      await search(page, '〈銀河〉')
      await page.sees('the hit', () => document.querySelector('[role=option] mark')?.textContent === '〈銀河〉')
      await page.type(FIELD, KEY.enter)
      await page.sees('the hit in its conversation', () => document.querySelector('article[aria-current] mark')?.textContent === '〈銀河〉')
      await page.run(() => document.querySelector('.pane header .buttons button').click())
      await page.sees('the whole task', () => location.hash.startsWith('#tasks') && document.querySelector('article[aria-current] strong') !== null)
      await page.sees('the hit itself in sight', inSight, 'article[aria-current]')
      assert.equal(await page.run(() => document.querySelector('article[aria-current] strong').textContent), '決めました')
      await shoot(page, 'conversation-hit')

      // What stands in a tool's answer alone: found, and unfolded.
      await page.run(() => document.querySelector('article[aria-current]').focus())
      await page.press(KEY.control, 'f')
      await page.sees('the field', () => document.activeElement?.closest('.find') !== null)
      await page.type('.find input', '〈流星〉')
      await page.sees('it, unfolded', () => document.querySelector('article[aria-current] pre mark')?.textContent === '〈流星〉')
      assert.match(await page.run(status), /^1 \/ 1\b/)
      await page.sees('the mark in sight', inSight, 'article[aria-current] pre mark')
      assert.match(await page.run(() => document.querySelector('article[aria-current] dl').innerText), /command\s+ls -l data/)
      await shoot(page, 'conversation-find')
      // And one of three thousand, by its number.
      await page.clear('.find input')
      await page.type('.find input', '琥珀の粒 2987')
      await page.sees('the one', () => document.querySelector('article[aria-current] mark')?.textContent === '琥珀の粒 2987')
      await page.press(KEY.escape)
      await page.sees('the field closed', () => document.querySelector('.find') === null && document.activeElement.tagName === 'ARTICLE')

      await page.press('p')
      await page.sees('the question', () => document.querySelector('dialog textarea') !== null)
      await page.click('dialog footer .primary')
      await page.sees('the pin at the head', () => document.querySelector('.pins li')?.innerText.includes('琥珀の粒 2987'))

      await page.run(() => (location.hash = 'search?q=〈銀河〉'))
      await page.sees('the hit', () => document.querySelector('[role=option] mark') !== null)
      await page.type(FIELD, KEY.enter)
      await page.sees('its conversation', () => document.querySelector('article[aria-current] mark') !== null)
      await page.run(() => document.querySelector('article[aria-current]').focus())
      await page.press('r')
      await page.sees('the form, filled in', () => document.querySelector('dialog textarea')?.value.includes('〈銀河〉'))
      await page.run(() => document.querySelector('dialog input[type=radio]').click())
      await page.sees('a name', () => [...document.querySelectorAll('dialog input:not([type=radio])')].at(-1).value !== '')
      await page.run(() => {
        const name = [...document.querySelectorAll('dialog input:not([type=radio])')].at(-1)
        name.value = 'write-amber-as-csv'
        name.dispatchEvent(new InputEvent('input', { bubbles: true }))
      })
      await shoot(page, 'conversation-record')
      await page.click('dialog footer .primary')
      await page.sees('that it was made', () => document.querySelector('.toast')?.innerText.includes('write-amber-as-csv'))
      const made = await readFile(join(project, '.kiroku/memory/decisions/write-amber-as-csv.md'), 'utf8').catch(() =>
        readFile(join(project, 'memory/decisions/write-amber-as-csv.md'), 'utf8'),
      )
      assert.match(made, /^---\n[\s\S]*\nstatus: open\n[\s\S]*?---\n/)
      assert.match(made, /session_id: "?6f0c2a4e-0000-4c1d-9a55-0d5f6a7b8c0d"?/)
      assert.match(made, /range: \[\d+, \d+\]/)
      assert.match(made, /\n# 決めました: 琥珀は data\/amber\.csv [\s\S]*\n\n\*\*決めました\*\*: [\s\S]*〈銀河〉\n$/)
      await page.click('.toast button')
      await page.sees('the record', () => location.hash.includes('write-amber-as-csv'))
      assert.match(await page.run(place), /^memory\?at=decision:write-amber-as-csv$/)
    })
  }))

test('a forgotten task stays forgotten, whatever is imported', () =>
  inAFolder(async (folder) => {
    const { project, sessions, space, bring } = await aSpace(folder)
    for (const id of ['a', 'b']) {
      await writeFile(join(sessions, `${id}.jsonl`), session(project, id, 5))
      bring(join(sessions, `${id}.jsonl`))
    }
    await app({ data: join(folder, 'app'), location: space }, async (page) => {
      await page.sees('the space', () => document.title.startsWith('こはく'))
      await page.run(() => (location.hash = 'tasks?title=（a）'))
      await page.sees('the task', () => document.querySelectorAll('[role=treeitem]').length === 1)
      await page.run(() => document.querySelector('[role=treeitem]').click())
      await page.sees('its conversation', () => document.querySelectorAll('article').length > 3)
      await page.run(() => [...document.querySelectorAll('.pane header .buttons button')].at(-1).click())
      await page.sees('what can be done', () => document.querySelector('[role=menu] .danger') !== null)
      await page.run(() => document.querySelector('[role=menu] .danger').click())
      await page.sees('the question', () => document.querySelector('dialog footer .danger') !== null)
      await page.click('dialog footer .danger')
      await page.sees('that it is gone', () => document.querySelector('.toast') !== null && document.querySelectorAll('[role=treeitem]').length === 0)
      bring(join(sessions, 'a.jsonl'))
      await writeFile(join(sessions, 'a.jsonl'), session(project, 'a', 9))
      bring(join(sessions, 'a.jsonl'))
      // What comes in after it appears, and it does not.
      await writeFile(join(sessions, 'c.jsonl'), session(project, 'c', 3))
      bring(join(sessions, 'c.jsonl'))
      await page.run(() => (location.hash = 'tasks'))
      await page.sees('the new task', () => [...document.querySelectorAll('[role=treeitem]')].some((it) => it.innerText.includes('（c）')))
      const titles = await page.run(() => [...document.querySelectorAll('[role=treeitem] .title')].map((it) => it.innerText))
      assert.equal(titles.length, 2)
      assert(titles.every((title) => !title.includes('（a）')), titles.join())
      assert.match(kiroku(['--space', space, 'space', 'info']), /tasks +2\b/)
    })
  }))

test('a session file that grows on disk grows on the screen, and what is read does not move', () =>
  inAFolder(async (folder) => {
    const { project, sessions, space, bring } = await aSpace(folder)
    const file = join(sessions, 'growing.jsonl')
    const lines = session(project, 'e', 400).trimEnd().split('\n')
    const write = (from, to) => appendFile(file, lines.slice(from, to).map((line) => `${line}\n`).join(''))
    await write(0, 300)
    bring(file)
    const cli = resolve(process.argv[3])
    const watching = spawn(cli, ['--space', space, 'import', '--from', 'claude-code', '--watch', sessions], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, LANG: 'en_US.UTF-8' },
    })
    const ended = new Promise((gone) => watching.once('exit', gone))
    try {
      let told = ''
      watching.stderr.on('data', (data) => (told += data))
      await until('that it is watched', async () => told.includes('watching'))
      await app({ data: join(folder, 'app'), location: space }, async (page) => {
        await page.sees('the space', () => document.title.startsWith('こはく'))
        await page.run(() => (location.hash = 'tasks?task=task:1'))
        await page.sees('the conversation', () => document.querySelectorAll('article').length > 3)
        await page.run(() => document.querySelector('[role=feed]').scrollTo(0, 5_000))
        const seen = () => {
          const frame = document.querySelector('[role=feed]').getBoundingClientRect()
          return [...document.querySelectorAll('article')]
            .map((it) => [it.dataset.ref, Math.round(it.getBoundingClientRect().top - frame.top)])
            // The line that says how many are new takes a little room at the end.
            .filter(([, top]) => top > -20 && top < frame.height - 100)
        }
        // Rows are measured as they come into sight: it rests when two looks are alike.
        let before
        await until('its middle, at rest', async () => {
          const [now, was] = [await page.run(seen), before]
          before = now
          return now.length > 3 && JSON.stringify(now) === JSON.stringify(was)
        })
        await write(300, 303)
        await page.sees('that three are new', () => /3/.test(document.querySelector('.reading .waiting')?.innerText ?? ''))
        assert.deepEqual(await page.run(seen), before, 'what was read has moved')
        await shoot(page, 'conversation-grown')
        await write(303, 400)
        await page.sees('that a hundred are new', () => /100/.test(document.querySelector('.reading .waiting')?.innerText ?? ''))
        assert.deepEqual(await page.run(seen), before, 'what was read has moved')
        await page.click('.reading .waiting')
        await page.sees('the first of them', () => document.activeElement.innerText?.includes('琥珀の粒 300'))
        await page.run(() => document.querySelector('[role=feed]').scrollTo(0, 1e9))
        await page.sees('the last of them', () => [...document.querySelectorAll('article')].some((it) => it.innerText.includes('琥珀の粒 399')))
        await page.sees('that nothing waits', () => document.querySelector('.reading .waiting') === null)
      })
    } finally {
      watching.kill('SIGINT')
      await ended
    }
  }))
