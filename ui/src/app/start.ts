// How a page begins on a platform: the language and the look first, so that no text is shown in the wrong one, then the
// space that was open last, then the window.
import { mount } from 'svelte'
import { flows } from '../features/spaces/flows.svelte'
import { platform, standOn, type Platform } from '../platform'
import { clock } from '../shared/clock.svelte'
import { isText, recall } from '../shared/kept'
import { readLook } from '../shared/look.svelte'
import { nav } from '../shared/nav.svelte'
import { readPlace, writePlace } from '../shared/place'
import { space } from '../shared/space.svelte'
import App from './App.svelte'
import './base.css'
import { followLink } from './links'

export async function start(given: Platform): Promise<void> {
  standOn(given)
  clock.run(() => platform.now())
  await readLook()
  const target = document.querySelector('#app')
  if (target === null) throw new Error('the page has no #app')
  mount(App, { target })
  const { path, link, folder } = await platform.last().catch(() => ({ path: null, link: null, folder: null }))
  await space.enter(path ?? '', async () => {
    const open = (await platform.current()) ?? (path === null ? null : await platform.openSpace(path))
    // Where the person was when they closed the window, unless the page was sent elsewhere.
    if (open && writePlace(nav.place) === 'search') nav.be(readPlace(recall(`place.${open.uid}`, isText, '')))
    return open
  })
  if (link !== null) followLink(link)
  if (folder !== null) flows.lookInto(folder)
}
