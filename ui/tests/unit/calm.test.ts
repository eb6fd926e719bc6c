import { expect, test, vi } from 'vitest'
import { calm } from '../../src/shared/calm'

test('the first change is followed at once, many as one, the last never passed over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  let runs = 0
  let finish: () => void = () => undefined
  const ask = calm(() => {
    runs += 1
    return new Promise<void>((done) => (finish = done))
  })
  ask()
  expect(runs).toBe(1)
  for (let nth = 0; nth < 10; nth++) ask()
  finish()
  await vi.advanceTimersByTimeAsync(999)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(2)
  finish()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(runs).toBe(2)
  ask()
  expect(runs).toBe(3)
  vi.useRealTimers()
})

test('work that fails is not the end of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  let runs = 0
  const ask = calm(() => Promise.reject(new Error(String(++runs))))
  ask()
  ask()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(runs).toBe(2)
  vi.useRealTimers()
})
