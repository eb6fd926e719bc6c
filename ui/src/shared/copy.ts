// Copying to the clipboard, said or excused in a toast.
import { failure, platform } from '../platform'
import { t } from './i18n/index.svelte'
import { toasts } from './ui/toasts.svelte'

export async function copy(text: string, said: string): Promise<void> {
  try {
    await platform.copy(text)
    toasts.say(said)
  } catch (thrown) {
    toasts.say(`${t().errors.copy}: ${failure(thrown).message}`, undefined, true)
  }
}
