// Where the page begins: the language first, so that no text is ever shown in the wrong one, then the one component. The
// shell has no commands yet, so this is still the page that says what Kiroku is; `fake.html` has the app itself.
import { mount } from 'svelte'
import Before from './app/Before.svelte'
import './app/base.css'
import { lang } from './shared/messages'

document.documentElement.lang = lang

const target = document.querySelector('#app')
if (target === null) throw new Error('index.html has no #app')
mount(Before, { target })
