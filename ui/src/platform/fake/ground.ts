// What the parts of the fake stand on: the record that they share, and the call that tests can hold back.
import type { PlatformEvent } from '../types'
import type { FakeRecord } from './record'

export interface Ground {
  record: FakeRecord
  /** What to begin with, from the page's address. */
  address: URLSearchParams
  /** Now, in milliseconds: a fixed time. */
  now: number
  /** Every call goes through here: counted, held back, failed. */
  call<T>(name: string, work: () => T | Promise<T>): Promise<T>
  emit(event: PlatformEvent): void
  /** Who the person is in the space now. */
  me(): string
  say(en: string, ja: string): string
  /** Writes a file that the person chose, for tests to read. */
  save(path: string, text: string): void
}
