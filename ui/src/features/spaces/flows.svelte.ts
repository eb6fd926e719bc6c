// The ways into a space: which question is open, and how each begins.
import { failure, platform } from '../../platform'
import { t } from '../../shared/i18n/index.svelte'
import { nav } from '../../shared/nav.svelte'
import { space } from '../../shared/space.svelte'
import { toasts } from '../../shared/ui/toasts.svelte'

class Flows {
  asked = $state.raw<{ kind: 'folder'; path: string } | { kind: 'create' }>()

  close = (): void => {
    this.asked = undefined
  }

  create = (): void => {
    this.asked = { kind: 'create' }
  }

  openFolder = async (): Promise<void> => {
    const path = await this.#pick(() => platform.pickFolder())
    if (path !== null) this.lookInto(path)
  }

  /** Shows what a folder holds, and what may be done with it. */
  lookInto = (path: string): void => {
    this.asked = { kind: 'folder', path }
  }

  openFile = async (): Promise<void> => {
    const path = await this.#pick(() => platform.pickSpaceFile())
    if (path !== null) await this.enter(path)
  }

  async enter(path: string): Promise<void> {
    this.close()
    await space.load(path)
    if (space.phase === 'open') nav.restart()
  }

  sample = async (): Promise<void> => {
    this.close()
    await space.enter('', () => platform.openSample())
    if (space.phase === 'open') nav.restart()
  }

  async #pick(work: () => Promise<string | null>): Promise<string | null> {
    try {
      return await work()
    } catch (thrown) {
      toasts.say(`${t().errors.open}: ${failure(thrown).message}`, undefined, true)
      return null
    }
  }
}

export const flows = new Flows()
