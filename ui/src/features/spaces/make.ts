// Making a space from what a form holds.
import { platform } from '../../platform'
import { nav } from '../../shared/nav.svelte'
import { space } from '../../shared/space.svelte'

/** Throws what went wrong, so that the form stays open and can say it; on success the window shows the new space. */
export async function make(path: string, name: string, member: string, anyway: boolean): Promise<void> {
  const info = await platform.createSpace({ path, name: name.trim(), member: member.trim(), anyway })
  await space.enter(path, () => Promise.resolve(info))
  nav.restart()
}
