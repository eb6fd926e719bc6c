// How a page begins on a platform: the language and the look first, so that no text is shown in the wrong one, then the
// space that was open last, then the window.
import { mount } from 'svelte'
import { platform, standOn, type Platform } from '../platform'
import { clock } from '../shared/clock.svelte'
import { readLook } from '../shared/look.svelte'
import { space } from '../shared/space.svelte'
import App from './App.svelte'
import './base.css'

export async function start(given: Platform): Promise<void> {
  standOn(given)
  clock.run(() => platform.now())
  await readLook()
  const target = document.querySelector('#app')
  if (target === null) throw new Error('the page has no #app')
  mount(App, { target })
  await space.enter('', () => platform.current())
}
