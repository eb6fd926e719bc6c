// Short words about what was just done, each with its undo where there is one. They leave by themselves, but not while
// the pointer or the focus is on them.

export interface Toast {
  id: number
  text: string
  trouble: boolean
  action: { label: string; run: () => void } | undefined
}

const STAYS_MS = 6_000
let next = 1

class Toasts {
  list = $state<Toast[]>([])
  #timers = new Map<number, ReturnType<typeof setTimeout>>()

  /** Says something, with one thing that can be done about it. */
  say(text: string, action?: Toast['action'], trouble = false): void {
    const toast = { id: next++, text, trouble, action }
    this.list = [...this.list.filter((other) => other.text !== text), toast].slice(-3)
    this.resume(toast.id)
  }

  close(id: number): void {
    this.hold(id)
    this.list = this.list.filter((toast) => toast.id !== id)
  }

  /** Keeps a toast for as long as it is looked at. */
  hold(id: number): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  resume(id: number): void {
    this.hold(id)
    this.#timers.set(
      id,
      setTimeout(() => this.close(id), STAYS_MS),
    )
  }
}

export const toasts = new Toasts()
