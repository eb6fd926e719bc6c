// The space that the window shows: what it says of itself, and how opening it went. Views read it; opening, closing and
// what goes wrong with the file come through here.
import { calm } from './calm'
import { failure, platform, type Failure, type PlatformEvent, type SpaceInfo } from '../platform'

type Phase = 'starting' | 'none' | 'opening' | 'open' | 'failed'

class Space {
  phase = $state<Phase>('starting')
  info = $state.raw<SpaceInfo>()
  /** Why it could not be opened, or what became of it while it was open; and the file that it was about. */
  failure = $state.raw<Failure>()
  path = $state('')
  /** The file went away while it was open. */
  gone = $state(false)
  #turn = 0
  #refreshSoon = calm(() => this.refresh())

  /** The space as it is open; only for what is shown while one is. */
  get open(): SpaceInfo {
    if (!this.info) throw new Error('no space is open')
    return this.info
  }

  memberName(id: string | null | undefined): string | undefined {
    return this.info?.members.find((member) => member.id === id)?.name
  }

  /** Runs something that ends with an open space, or none. Only the newest such call counts. */
  async enter(path: string, work: () => Promise<SpaceInfo | null>): Promise<void> {
    const turn = ++this.#turn
    this.path = path
    if (this.phase !== 'starting') this.phase = 'opening'
    try {
      const info = await work()
      if (turn !== this.#turn) return
      this.failure = undefined
      this.gone = false
      this.info = info ?? undefined
      this.phase = info ? 'open' : 'none'
    } catch (thrown) {
      if (turn !== this.#turn) return
      this.failure = failure(thrown)
      this.path = path || String(this.failure.details['path'] ?? '')
      this.info = undefined
      this.phase = 'failed'
    }
  }

  /** Reads again what the space says of itself. */
  async refresh(): Promise<void> {
    const turn = this.#turn
    const info = await platform.current().catch(() => null)
    if (turn === this.#turn && this.phase === 'open' && info) this.info = info
  }

  hear = (event: PlatformEvent): void => {
    if (event.kind === 'gone' && this.phase === 'open') {
      this.#turn += 1
      this.path = this.info?.path ?? this.path
      this.failure = event.failure
      this.gone = true
      this.phase = 'failed'
    } else if (event.kind === 'changed' && this.phase === 'open') this.#refreshSoon()
  }

  load(path: string): Promise<void> {
    return this.enter(path, () => platform.openSpace(path))
  }

  async close(): Promise<void> {
    await this.enter('', async () => {
      await platform.closeSpace()
      return null
    })
  }
}

export const space = new Space()
