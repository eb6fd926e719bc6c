// What the checker says of the text as it is typed, and what the fields of its frontmatter are: asked for when typing
// rests, and told where things are now, however much was typed since.
import { platform, type RecordFields, type RecordFinding, type RecordName } from '../../../platform'
import { placeNow, type Snapshot } from './splice'

const CHECK_MS = 150
/** From this length on a text takes a while to cross the border: it is checked when typing rests for longer. */
const LARGE = 200_000
const CHECK_LARGE_MS = 600

/** What is checked: the open text. */
interface Checkable {
  ref: RecordName
  length: () => number
  /** The text as it is now, followed from now on; and the end of that. */
  take: () => Snapshot
  drop: (taken: Snapshot) => void
  /** Does something when no input method composes. */
  calmly: (name: string, work: () => void) => void
  onchecked: () => void
}

export class Checks {
  findings = $state.raw<readonly RecordFinding[]>([])
  fields = $state.raw<RecordFields>()
  /** The text that they were made of. */
  made: Snapshot | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(readonly of: Checkable) {}

  /** What was found with the reading of the record. */
  begin(findings: readonly RecordFinding[]): void {
    this.findings = findings
    this.made = this.of.take()
    void this.now()
  }

  soon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.of.calmly('check', () => void this.now()), this.of.length() > LARGE ? CHECK_LARGE_MS : CHECK_MS)
  }

  async now(): Promise<void> {
    clearTimeout(this.#timer)
    const made = this.of.take()
    const text = made.doc.toString()
    try {
      const [findings, fields] = await Promise.all([platform.checkRecord(this.of.ref, text), platform.recordFields(this.of.ref, text)])
      this.of.calmly('problems', () => {
        if (this.made) this.of.drop(this.made)
        this.made = made
        this.findings = findings
        this.fields = fields
        this.of.onchecked()
      })
    } catch {
      // A newer check took this one back, or the folder is out of reach: what was found before stays.
      this.of.drop(made)
    }
  }

  /** Where a place that the last check told of is now. */
  place(at: number): number {
    return this.made ? placeNow(this.made, at) : at
  }
}
