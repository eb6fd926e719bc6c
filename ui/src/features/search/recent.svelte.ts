// The searches that led somewhere (a hit was opened, or Enter was pressed), newest first, each space its own.
import { isWords, keep, recall } from '../../shared/kept'

const KEPT = 8

export class Recent {
  words = $state.raw<string[]>([])
  #name: string

  constructor(space: string) {
    this.#name = `recent.${space}`
    this.words = recall(this.#name, isWords, [])
  }

  add(query: string): void {
    const words = query.trim()
    if (words === '') return
    this.words = [words, ...this.words.filter((other) => other !== words)].slice(0, KEPT)
    keep(this.#name, this.words)
  }

  clear(): void {
    this.words = []
    keep(this.#name, [])
  }
}
