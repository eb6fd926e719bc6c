// Asking the shell: what every part of the door does with an answer.
import { commands, type Answer } from '../../bindings'
import { Failure } from '../types'

type Answered<T> = { status: 'ok'; data: T } | { status: 'error'; error: { code: Failure['code']; message: string; details?: unknown } }

/** What a command answered, or the failure thrown. */
export async function ask<T>(call: Promise<Answered<T>>): Promise<T> {
  const answer = await call
  if (answer.status === 'ok') return answer.data
  const { code, message, details } = answer.error
  throw new Failure(code, message, (details ?? {}) as Record<string, unknown>)
}

/** The body of an answer that may say that there is none in this context. */
export async function body<T>(call: Promise<Answered<Answer<T>>>): Promise<T> {
  const answer = await ask(call)
  if (!answer.available) throw new Failure('unavailable', answer.message ?? '')
  return answer as unknown as T
}

/** The number of a ref such as `task:12`. */
export const number = (ref: string): number => Number(ref.slice(ref.indexOf(':') + 1))

// Turns grow, across loads of the page too; work has names of its own.
let turn = Date.now()
export const nextTurn = () => (turn = Math.max(turn + 1, Date.now()))
export const workName = (what: string) => `${what} ${nextTurn()}`
export const cancel = (work: string) => void commands.cancel(work)
