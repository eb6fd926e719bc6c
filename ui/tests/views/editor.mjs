// The tour's views of the editor of records; `tour.mjs` says what a view is.

const text = '[data-editor-text] .cm-content'
const record = (ref) => `${ref.startsWith('knowledge') ? 'knowledge' : 'memory'}?at=${ref}`
const TAX = 'knowledge:tax-rounding'

async function ready(page) {
  await page.locator(text).waitFor()
  await page.locator('[data-form] [data-field], [data-form] .notice').first().waitFor()
}
async function typeAtEnd(page, words) {
  await page.locator(text).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(words)
}
/** Somebody else writes the file. */
const write = (page, ref, changes) =>
  page.evaluate(
    ([ref, changes]) => {
      let text = window.fake.records.text(ref)
      for (const [from, to] of changes) text = text.replace(from, to)
      window.fake.records.write(ref, text)
    },
    [ref, changes],
  )

async function clash(page) {
  await ready(page)
  await typeAtEnd(page, '\n\n手で書いた行です。')
  await page.locator(`${text} .cm-line`, { hasText: 'クーポンは' }).click()
  await page.keyboard.press('End')
  await page.keyboard.type('端数は最大の品目に寄せる。')
  await write(page, TAX, [
    ['按分する。', '按分し、余りは税率の高いほうに寄せる。'],
    ['税率は届ける日', '税率は配達する日'],
  ])
  await page.locator('.banner').waitFor()
}

export const editorViews = [
  { name: 'editor', hash: record(TAX), act: ready },
  { name: 'editor-decision', hash: record('decision:totp-recovery'), act: ready },
  {
    name: 'editor-text',
    hash: record('decision:keep-cookie-sessions'),
    act: async (page) => {
      await ready(page)
      await page.locator('.facts .form').click()
      await page.locator('[data-form]').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'editor-problems',
    hash: record('decision:importer-keeps-numbers'),
    act: async (page) => {
      await ready(page)
      await page.locator('footer .all').click()
      await page.locator('.problems li').first().waitFor()
      await page.locator(text).focus()
      await page.keyboard.press('F8')
    },
  },
  {
    name: 'editor-hover',
    hash: record('decision:importer-keeps-numbers'),
    act: async (page) => {
      await ready(page)
      await page.locator(`${text} .cm-lintRange-warning`).hover()
      await page.locator('.cm-tooltip-lint').waitFor()
    },
  },
  { name: 'editor-broken', hash: record('knowledge:returns'), act: ready },
  {
    name: 'editor-preview',
    hash: record('decision:totp-recovery'),
    act: async (page) => {
      await ready(page)
      await page.locator('[data-editor] fieldset label').nth(1).click()
      await page.locator('.preview h3, .preview h1').first().waitFor()
    },
  },
  {
    name: 'editor-find',
    hash: record(TAX),
    act: async (page) => {
      await ready(page)
      await page.locator(text).focus()
      await page.keyboard.press('Control+h')
      await page.keyboard.type('税率')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
    },
  },
  {
    name: 'editor-complete',
    hash: record(TAX),
    act: async (page) => {
      await ready(page)
      await typeAtEnd(page, '\n#i')
      await page.locator('.cm-tooltip-autocomplete').waitFor()
    },
  },
  {
    name: 'editor-sources',
    hash: record(TAX),
    act: async (page) => {
      await ready(page)
      await page.locator('.facts button').first().click()
      await page.getByRole('menuitem').first().waitFor()
    },
  },
  {
    name: 'editor-replaced-by',
    hash: record('decision:totp-recovery'),
    act: async (page) => {
      await ready(page)
      await page.locator('.facts .status').click()
      await page.getByRole('menuitemradio').last().click()
      await page.locator('dialog [role=option]').first().waitFor()
    },
  },
  { name: 'editor-changed', hash: record(TAX), act: clash },
  {
    name: 'editor-merge',
    hash: record(TAX),
    act: async (page) => {
      await clash(page)
      await page.locator('.banner .primary').click()
      await page.locator('[data-merge] .cm-merge-b').waitFor()
    },
  },
  {
    name: 'editor-saved-errors',
    hash: record('decision:importer-keeps-numbers'),
    act: async (page) => {
      await ready(page)
      await typeAtEnd(page, 'More.')
      await page.keyboard.press('Control+s')
      await page.locator('.banner').waitFor()
    },
  },
  { name: 'editor-read-only', hash: record('knowledge:restore-drill'), act: ready },
  {
    name: 'editor-draft',
    hash: 'search',
    act: async (page) => {
      await page.locator('.side').waitFor()
      await page.evaluate((ref) => window.fake.records.draft(ref, `${window.fake.records.text(ref)}\n書きかけの行。\n`), TAX)
      await page.evaluate((to) => (location.hash = to), `#${record(TAX)}`)
      await ready(page)
      await page.locator('.banner').waitFor()
    },
  },
  { name: 'editor-gone', hash: record('knowledge:no-such-record'), act: (page) => page.locator('[data-editor] .notice').waitFor() },
]
