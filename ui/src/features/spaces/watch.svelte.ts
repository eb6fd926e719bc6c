// Sessions that come in by themselves: how it stands, as the shell tells it, and the person's wish.
import { failure, platform, type SessionsWatched, type WatchWish } from '../../platform'
import { t } from '../../shared/i18n/index.svelte'
import { toasts } from '../../shared/ui/toasts.svelte'

class Watch {
  now = $state.raw<SessionsWatched>()

  /** How it stands in the space that is open now. */
  read = async (): Promise<void> => {
    this.now = await platform.watched().catch(() => undefined)
  }

  hear = (told: SessionsWatched): void => {
    this.now = told
  }

  wish(wish: WatchWish): Promise<void> {
    return this.#do(() => platform.watch(wish))
  }
  pause = (): Promise<void> => this.#do(() => platform.pauseWatch())
  /** On as before: after a rest, or after it failed. */
  goOn = (): Promise<void> => this.wish({ on: true, everywhere: this.now?.wish.everywhere ?? false })

  async #do(work: () => Promise<SessionsWatched>): Promise<void> {
    try {
      this.now = await work()
    } catch (thrown) {
      toasts.say(`${t().errors.save}: ${failure(thrown).message}`, undefined, true)
    }
  }
}

export const watch = new Watch()
