// Where the page begins: the language first, so that no text is ever shown in the wrong one, then the one component.
import { mount } from 'svelte'
import App from './app/App.svelte'
import './app/base.css'
import { lang } from './shared/messages'

document.documentElement.lang = lang

const target = document.querySelector('#app')
if (target === null) throw new Error('index.html has no #app')
mount(App, { target })
