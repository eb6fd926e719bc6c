// Reachable by everyone: axe looks at every view of the tour, by day and by night, and finds nothing serious.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type AxeNamespace from 'axe-core'
import { enter, VIEWS } from '../tour.mjs'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
let browser: Browser
beforeAll(async () => {
  browser = await chromium.connect(inject('endpoint'))
})
afterAll(() => browser.close())

describe.each(['light', 'dark'] as const)('by %s', (theme) => {
  test.each(VIEWS.map((view) => [view.name, view] as const))('%s', async (_, view) => {
    const { page, faults, close } = await enter({ base: inject('base'), browser }, view, { lang: 'ja', theme })
    try {
      await page.evaluate(AXE)
      const found = await page.evaluate(async () => {
        const { axe } = window as unknown as { axe: typeof AxeNamespace }
        const { violations } = await axe.run(document, { resultTypes: ['violations'] })
        return violations
          .filter((one) => one.impact === 'serious' || one.impact === 'critical')
          .map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join(' | ')}`)
      })
      expect(found).toEqual([])
      expect(faults).toEqual([])
    } finally {
      await close()
    }
  })
})
