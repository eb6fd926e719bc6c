// Opens the built app in its real webview, without a screen, and fails unless the first run is there, in the person's
// language and colours, with the content security policy and frozen prototypes in force; and unless the sample space
// opens, is searched, and shows the conversation around a hit.
//
//     node ui/tests/window.mjs PROGRAM [FOLDER FOR SCREENSHOTS]
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { inTheApp, PATIENCE_MS, until } from '../../tests/e2e/webview.mjs'

const [program, pictures] = process.argv.slice(2)
assert(program, 'which program?')

const LOOKS = [
  { name: 'ja-light', locale: 'ja_JP.UTF-8', theme: 'Adwaita', says: 'サンプルのスペースを見る', dark: false },
  { name: 'en-dark', locale: 'en_US.UTF-8', theme: 'Adwaita:dark', says: 'Look round the sample space', dark: true },
]

for (const look of LOOKS) {
  const environment = { LANG: look.locale, GTK_THEME: look.theme }
  await inTheApp({ program, environment }, async (page) => {
    const { run, wait } = page
    const shoot = async (view) => {
      if (pictures) await page.shoot(join(pictures, `${look.name}-${view}.png`))
    }
    await until('the ways in', () => run("return document.querySelectorAll('.way').length === 3"))
    assert.equal(await run('return document.title'), 'Kiroku 記録')
    assert.equal(await run('return document.documentElement.lang'), look.name.slice(0, 2))
    assert((await run("return document.querySelector('main').innerText")).includes(look.says))
    assert.equal(await run("return matchMedia('(prefers-color-scheme: dark)').matches"), look.dark)
    const ground = await run('return getComputedStyle(document.body).backgroundColor')
    assert.equal(await run(`const probe = document.createElement('canvas').getContext('2d')
      probe.fillStyle = ${JSON.stringify(ground)}
      probe.fillRect(0, 0, 1, 1)
      return probe.getImageData(0, 0, 1, 1).data[0] < 128`), look.dark, `the page is drawn on ${ground}`)
    assert.equal(await run('return Object.isFrozen(Object.prototype)'), true, 'the prototype is not frozen')
    await shoot('start')

    // The way that a person goes first: the sample space, a search, a hit.
    await run("document.querySelectorAll('.way')[2].click()")
    await until('the field', () => run("return document.querySelector('[data-main-field]') !== null"))
    await shoot('search')
    await page.type('[data-main-field]', '認証')
    await until('hits', () => run("return document.querySelectorAll('[role=option] mark').length > 3"))
    assert.equal(await run("return document.querySelector('[role=option] mark').textContent"), '認証')
    await page.type('[data-main-field]', '\uE007')
    await until('the conversation', () => run("return document.querySelector('article[aria-current] mark') !== null"))
    await shoot('hit')
    await run("location.hash = 'tasks?task=task:12'")
    await until('the task', () => run("return document.querySelectorAll('article').length > 3"))
    await shoot('task')
    // Nothing of ours reaches past the window, breaks, or needs what the policy refuses.
    assert.equal(await run('return document.documentElement.scrollWidth <= innerWidth'), true)
    assert.deepEqual(await page.faults(), [])

    const directive = await wait(`const done = arguments[0]
      document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective), { once: true })
      const inline = document.createElement('script')
      inline.textContent = 'document.title = "broken"'
      document.head.append(inline)
      setTimeout(() => done('nothing'), ${PATIENCE_MS / 2})`)
    assert.match(directive, /^script-src/, 'an inline script was not refused')
    assert.notEqual(await run('return document.title'), 'broken')
    await page.faults() // the one that was asked for
  })
  console.log(`  ${look.name}: the window shows its page, and the sample space is searched`)
}
