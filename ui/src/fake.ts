// The page on the fake platform, for tests, for pictures and for `npm run dev`. It is no part of the app: only `fake.html`
// begins with it.
import { start } from './app/start'
import { makeFake, type FakeControls } from './platform/fake'

declare global {
  interface Window {
    /** What tests hold in their hands. */
    fake: FakeControls
  }
}

const { platform, controls } = makeFake(new URLSearchParams(location.search))
window.fake = controls
await start(platform)
