// What every flow stands on: a fresh page, and a look at its faults when it is over. A page that logs an error, throws, or
// breaks the content security policy fails its test, whatever else the test looks at.
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import type {} from '../../src/fake'
import { open, type Look } from '../browser.mjs'

let browser: Browser
const opened: { faults: string[]; close: () => Promise<void> }[] = []

beforeAll(async () => {
  browser = await chromium.connect(inject('endpoint'))
})
afterAll(() => browser.close())
afterEach(async () => {
  const all = opened.splice(0)
  await Promise.all(all.map((one) => one.close()))
  expect(all.flatMap((one) => one.faults)).toEqual([])
})

export const field = '[data-main-field]'

/** A page, begun as `look` says; what a test expects to be logged as an error it takes out of `faults`. */
export async function visit(look: Look = {}): Promise<Page & { faults: string[] }> {
  const one = await open({ base: inject('base'), browser }, look)
  opened.push(one)
  await one.page.locator('main').first().waitFor()
  return Object.assign(one.page, { faults: one.faults })
}

/** Where the page is. */
export const place = (page: Page) => page.evaluate(() => decodeURIComponent(location.hash.slice(1)).replaceAll('+', ' '))

/** Waits until something in the page is so. */
export const until = (page: Page, what: () => boolean) => page.waitForFunction(what)
