// Bringing conversations in, one run at a time, in the background: how far it is, how fast, how it ended.
import { failure, platform, type Failure, type ImportProgress, type ImportReport, type Running, type SessionGroup } from '../../platform'
import { space } from '../../shared/space.svelte'

type Begin = (told: (now: ImportProgress) => void) => Running<ImportReport>
const COUNTS = { tasks: 0, comments: 0, changed: 0, files: 0, unchanged: 0, excluded: 0, forgotten: 0, repeated: 0, unknown: 0, skipped: 0 }
const NOTHING: ImportReport = { ...COUNTS, skips: [], cancelled: false }

class Imports {
  progress = $state.raw<ImportProgress>()
  report = $state.raw<ImportReport>()
  failure = $state.raw<Failure>()
  running = $state(false)
  #cancel: () => void = () => undefined
  #last: Begin | undefined

  /** Those of the space's folder. */
  start(sources: string[]): Promise<void> {
    return sources.length === 0 ? Promise.resolve() : this.#run((told) => platform.importSessions(sources, told))
  }

  startGroups(groups: SessionGroup[]): Promise<void> {
    return this.#run((told) => platform.importGroups(groups, told))
  }

  /** The last one once more: it goes on where it ended. */
  again = (): void => {
    if (this.#last) void this.#run(this.#last)
  }

  /** Files that the person chooses: session files, or files in the exchange format. */
  async startFiles(): Promise<void> {
    const paths = await platform.pickImportFiles()
    if (paths.length > 0) await this.#run((told) => platform.importFiles(paths, told))
  }

  async #run(begin: Begin): Promise<void> {
    if (this.running) return
    this.#last = begin
    this.running = true
    this.progress = undefined
    this.report = undefined
    this.failure = undefined
    const run = begin((now) => (this.progress = now))
    this.#cancel = run.cancel
    try {
      this.report = await run.done
    } catch (thrown) {
      const why = failure(thrown)
      if (why.code === 'cancelled') this.report = { ...NOTHING, cancelled: true }
      else this.failure = why
    } finally {
      this.running = false
      void space.refresh()
    }
  }

  stop = (): void => this.#cancel()

  /** The words about the last run are read; they go. */
  dismiss = (): void => {
    this.report = undefined
    this.failure = undefined
  }
}

export const imports = new Imports()
