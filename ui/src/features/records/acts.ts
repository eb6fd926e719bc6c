// What is done with a record as a whole, from a menu or by a key. Each says what it did, with its undo.
import { failure, platform, type DecisionStatus, type RecordName, type RecordRow } from '../../platform'
import { t } from '../../shared/i18n/index.svelte'
import { altered, nav } from '../../shared/nav.svelte'
import { toasts } from '../../shared/ui/toasts.svelte'
import { desk, placeOf } from './editor/desk.svelte'
import { own } from './records.svelte'

const excuse = (what: string, thrown: unknown) => toasts.say(`${what}: ${failure(thrown).message}`, undefined, true)

/** Closes the record if it is the one that is open. */
function leave(ref: RecordName): void {
  const { place } = nav
  if ((place.view === 'memory' || place.view === 'knowledge') && place.at === ref) nav.be(altered(place, { at: undefined }))
}

/** Removes a record. Answers the records that refer to it when that forbids it; nothing when it is done or excused. */
export async function remove(ref: RecordName, slug: string, force = false): Promise<RecordName[] | undefined> {
  try {
    const { hash } = await platform.readRecord(ref)
    const { id } = await platform.removeRecord(ref, hash, force)
    leave(ref)
    toasts.say(t().records.removed(slug), { label: t().common.undo, run: () => void restore(id) })
  } catch (thrown) {
    const { code, details } = failure(thrown)
    const referring = details['referring']
    if (code === 'refused' && Array.isArray(referring)) return referring.map(String)
    excuse(t().records.notRemoved(slug), thrown)
  }
  return undefined
}

/** Brings back what was removed. */
export async function restore(id: string): Promise<boolean> {
  try {
    const ref = await platform.restoreRecord(id)
    own.add(ref)
    toasts.say(t().records.restored(ref), { label: t().records.open, run: () => nav.go(placeOf(ref)) })
    return true
  } catch (thrown) {
    excuse(t().records.notRestored, thrown)
    return false
  }
}

/** How often a change is made anew when somebody writes in the same moment. */
const TRIES = 3

/** Sets how a decision stands. One with unsaved words is opened instead: its text is the person's to change. */
export async function setStatus({ ref, slug, status, replaced_by }: RecordRow, to: DecisionStatus, by: string | null, undoable = true): Promise<void> {
  try {
    if (desk.unsaved.has(ref)) {
      nav.go(placeOf(ref))
      toasts.say(t().records.statusUnsaved(slug))
      return
    }
    for (let nth = 1; ; nth++) {
      const { text, hash } = await platform.readRecord(ref)
      const result = await platform.saveRecord(ref, await platform.setStatus(text, to, by), hash)
      if (result.outcome === 'saved') break
      if (nth === TRIES) throw new Error(t().records.busyFile)
    }
    const known = status === 'open' || status === 'resolved' || status === 'replaced' ? status : undefined
    const back = known && undoable ? { label: t().common.undo, run: () => void setStatus({ ref, slug, status: to, replaced_by: by } as RecordRow, known, replaced_by, false) } : undefined
    toasts.say(t().records.statusSet(slug, to), back)
  } catch (thrown) {
    excuse(t().records.statusNotSet(slug), thrown)
  }
}
