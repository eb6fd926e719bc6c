// The task board in the real window, beside an agent that keeps its list over MCP by the real `kiroku mcp`.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { app, DARK, intoTheSample, kiroku, shoot } from './setup.mjs'
import { inAFolder, KEY } from './webview.mjs'

const THREAD = 'task:42'
const [, cli] = process.argv.slice(2)

/** An agent with its own server process, over this thread. */
class Agent {
  #server
  #lines
  #id = 0

  constructor(space, thread) {
    this.#server = spawn(resolve(cli), ['--space', space, 'mcp', '--as', 'm1', '--thread', thread, '--resource', 'agent'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, LANG: 'en_US.UTF-8' },
    })
    this.#lines = createInterface({ input: this.#server.stdout })[Symbol.asyncIterator]()
  }
  async #ask(method, params) {
    const id = (this.#id += 1)
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    for (;;) {
      const { value, done } = await this.#lines.next()
      if (done) throw new Error(`the server ended before it answered ${method}`)
      const answer = JSON.parse(value)
      if (answer.id === id) return answer.result
    }
  }
  async hello() {
    await this.#ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } })
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
  }
  /** Calls a tool; what it answers in its structured form. */
  async tool(name, input = {}) {
    const { structuredContent, isError } = await this.#ask('tools/call', { name, arguments: input })
    assert(!isError, `${name}: ${JSON.stringify(structuredContent)}`)
    return structuredContent
  }
  end() {
    this.#server.stdin.end()
    return new Promise((gone) => this.#server.once('exit', gone))
  }
}

/** The window on the sample space's thread, beside an agent. */
const beside = (of, work) =>
  inAFolder((data) =>
    app({ data, ...of }, async (page) => {
      await intoTheSample(page)
      const space = join(data, 'sample/.kiroku/space.db')
      const agent = new Agent(space, THREAD)
      try {
        await agent.hello()
        await page.run((thread) => (location.hash = `board?thread=${thread}`), THREAD)
        await page.sees('the list', () => document.querySelectorAll('[data-item]').length > 3)
        return await work(page, agent, (...args) => JSON.parse(kiroku(['--space', space, 'list', ...args, '--json'])))
      } finally {
        await agent.end()
      }
    }),
  )

const card = (id) => `[data-item="${id}"]`
const inColumn = (status, id) => document.querySelector(`[data-column="${status}"] [data-item="${CSS.escape(id)}"]`) !== null
const heard = () => document.querySelector('[data-heard]').textContent
const ofStatus = ({ tasks }, status) => tasks.filter((item) => item.status === status).map(({ id }) => id)

test('what an agent does to its list is seen within half a second', () =>
  beside({}, async (page, agent) => {
    const [first, second] = ofStatus(await agent.tool('task_check'), 'pending')
    await shoot(page, 'board-thread')
    // The page says itself when a card is where it is to be: its clock is ours.
    const watch = (status, id) => {
      window.seen = undefined
      const look = () => {
        if (!window.seen && document.querySelector(`[data-column="${status}"] [data-item="${CSS.escape(id)}"]`)) window.seen = Date.now()
      }
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
    }
    const took = []
    for (const [id, status] of [[first, 'in_progress'], [first, 'completed'], [second, 'in_progress'], [first, 'pending'], [second, 'completed']]) {
      await page.run(watch, status, id)
      await agent.tool('task_update', { id, status })
      const written = Date.now()
      await page.sees(`${id} in ${status}`, inColumn, status, id)
      took.push((await page.run(() => window.seen)) - written)
    }
    console.log(`  from the agent's answer to the moved card: ${took.join(', ')} ms`)
    assert(took.toSorted((a, b) => a - b)[2] < 500, `usually later than half a second: ${took} ms`)
    assert.equal(await page.run((id) => document.querySelector(`[data-item="${CSS.escape(id)}"] .dot`) !== null, second), true, 'what changed is not marked')
    assert.notEqual(await page.run(heard), '', 'nothing was said to who does not see it')

    // It is so in the overview, too.
    await page.run(() => (location.hash = 'board'))
    await page.sees('the threads', () => document.querySelectorAll('[data-thread]').length > 3)
    const shown = (thread) => document.querySelector(`[data-thread="${thread}"] .figures`).textContent
    const before = await page.run(shown, THREAD)
    await agent.tool('task_complete', { id: first })
    await page.sees('the progress', (thread, before) => document.querySelector(`[data-thread="${thread}"] .figures`).textContent !== before, THREAD, before)
    await shoot(page, 'board-overview')
  }))

test('what a person drags, notes and ticks is read by the agent', () =>
  beside({}, async (page, agent) => {
    const was = await agent.tool('task_check')
    const [mine] = ofStatus(was, 'pending')
    const [done] = ofStatus(was, 'completed')
    const [running] = ofStatus(was, 'in_progress')
    await page.drag(card(mine), card(done))
    await page.sees('the card where it was dropped', inColumn, 'completed', mine)
    await page.sees('that it was saved', () => document.querySelector('.toast') !== null)
    let now = await agent.tool('task_check')
    assert.deepEqual(ofStatus(now, 'completed').slice(0, 2), [mine, done], 'dropped before the first that is completed')
    assert.equal(now.summary.completed, was.summary.completed + 1)
    await shoot(page, 'board-dragged')

    // A second item that is started sends the first back; undo brings both to where they were.
    const [next] = ofStatus(now, 'pending')
    await page.drag(card(next), card(running))
    await page.sees('it runs', inColumn, 'in_progress', next)
    await page.sees('the other waits', inColumn, 'pending', running)
    now = await agent.tool('task_check')
    assert.deepEqual([ofStatus(now, 'in_progress'), ofStatus(now, 'pending').includes(running)], [[next], true])
    await page.press(KEY.control, 'z')
    await page.sees('the first runs again', inColumn, 'in_progress', running)
    assert.deepEqual(ofStatus(await agent.tool('task_check'), 'in_progress'), [running])

    // By keys alone: a note, and a tick.
    await page.run((id) => document.querySelector(`[data-item="${CSS.escape(id)}"] .body`).focus(), next)
    await page.keys('r')
    await page.sees('the tick', (id) => document.querySelector(`[data-item="${CSS.escape(id)}"] .reviewed`) !== null, next)
    await page.keys('m')
    await page.sees('the field', () => document.activeElement.matches('aside textarea'))
    await page.type('aside textarea', '先に型を決めてから進めてください')
    await page.press(KEY.control, KEY.enter)
    await page.sees('the note', () => [...document.querySelectorAll('aside .note')].some((note) => note.innerText.includes('先に型を決めて')))
    now = await agent.tool('task_check')
    assert(now.notes.some(({ id, text }) => id === next && text === '先に型を決めてから進めてください'))
    assert(now.reviewed.includes(next))
    await shoot(page, 'board-note')
  }))

test('two edits at once end in a message, and neither is lost', () =>
  beside({ environment: DARK }, async (page, agent, list) => {
    const [first, second] = ofStatus(await agent.tool('task_check'), 'pending')
    // While the person writes, the agent rewords the same item.
    await page.run((id) => document.querySelector(`[data-item="${CSS.escape(id)}"] .body`).focus(), first)
    await page.keys('e')
    await page.sees('the editor', () => document.activeElement.matches('.editor textarea'))
    await page.clear('.editor textarea')
    await page.type('.editor textarea', 'Mine, written by hand')
    await agent.tool('task_update', { id: first, content: 'Theirs, written by the agent' })
    await page.sees('what the other wrote', () => document.querySelector('.clash .theirs')?.textContent === 'Theirs, written by the agent')
    assert.equal(await page.run(() => document.querySelector('.editor textarea').value), 'Mine, written by hand')
    await shoot(page, 'board-two-edits-dark')
    await page.click('.editor .primary')
    await page.sees('it is saved', () => document.querySelector('.editor') === null)
    assert.equal((await agent.tool('task_check')).tasks.find(({ id }) => id === first).content, 'Mine, written by hand')
    assert(list('history', THREAD).some(({ after }) => after.some(({ content }) => content === 'Theirs, written by the agent')), 'what the agent wrote is not in the history')

    // The person acts on a list that the page has not heard of yet: the engine refuses, and the page says why.
    await page.run(() => {
      const { invoke } = window.__TAURI_INTERNALS__
      window.letGo = () => (window.__TAURI_INTERNALS__.invoke = invoke)
      window.__TAURI_INTERNALS__.invoke = (command, ...rest) => (command === 'thread_list' ? new Promise(() => {}) : invoke(command, ...rest))
    })
    await agent.tool('task_update', { id: second, content: 'Reworded just before' })
    await page.run((id) => document.querySelector(`[data-item="${CSS.escape(id)}"] .body`).focus(), second)
    await page.press('\uE017')
    await page.sees('the message', () => document.querySelector('[role=alert]') !== null && document.body.innerText.includes('Reworded just before'))
    assert((await agent.tool('task_check')).tasks.some(({ id }) => id === second), 'it was removed all the same')
    await shoot(page, 'board-conflict-dark')
    // The page reads again, and the person decides.
    await page.run(() => window.letGo())
    await page.click('.trouble button')
    await page.sees('it is removed', (id) => document.querySelector(`[data-item="${CSS.escape(id)}"]`) === null, second)
    assert(!(await agent.tool('task_check')).tasks.some(({ id }) => id === second))
  }))

test('an earlier list is restored', () =>
  beside({}, async (page, agent, list) => {
    const was = (await agent.tool('task_check')).tasks
    await agent.tool('task_write', { tasks: [{ content: '全部やり直す', status: 'pending', activeForm: '全部やり直しています' }] })
    await page.sees('the new list', () => document.querySelectorAll('[data-item]').length === 1)
    await page.run(() => document.querySelector('[data-item] .body').focus())
    await page.keys('h')
    await page.sees('the history', () => document.querySelectorAll('[data-change]').length > 2)
    // What had notes and is gone is kept, and said.
    await page.sees('what is gone', () => document.querySelector('details.gone') !== null)
    await page.click('details.gone summary')
    await shoot(page, 'board-history')
    await page.click('details.gone summary')
    const before = await page.run(() => document.querySelectorAll('[data-change]')[1].dataset.change)
    await page.click(`[data-change="${before}"] .foot button`)
    await page.sees('the earlier list', (count) => document.querySelectorAll('[data-item]').length === count, was.length)
    assert.deepEqual((await agent.tool('task_check')).tasks, was)
    const [newest] = list('history', THREAD)
    assert.deepEqual([newest.door, newest.by], ['restore', 'haruka'])
    // That can be undone like anything else.
    await page.run(() => document.querySelector('[data-item] .body').focus())
    await page.press(KEY.control, 'z')
    await page.sees('the list before', () => document.querySelectorAll('[data-item]').length === 1)
  }))
