// Which platform this window stands on; whoever starts the page says so, once, before anything is shown.
import type { Platform } from './types'

export * from './conversations'
export * from './lists'
export * from './records'
export * from './sources'
export * from './types'

export let platform: Platform

export function standOn(given: Platform): void {
  platform = given
}
