// Which language the window speaks. `t()` gives its messages; read in markup or in an effect, it follows a change.
import { en, type Messages } from './en'
import { ja } from './ja'

export type { Messages } from './en'
export type Lang = 'ja' | 'en'
export type LangChoice = Lang | 'system'

/** The first language that the person prefers and that we speak. */
export function systemLang(names: readonly string[] = navigator.languages): Lang {
  for (const name of names) {
    const short = name.slice(0, 2)
    if (short === 'ja' || short === 'en') return short
  }
  return 'en'
}

const spoken = $state<{ lang: Lang }>({ lang: 'en' })

/** The language now. */
export function lang(): Lang {
  return spoken.lang
}

/** The messages of the language now. */
export function t(): Messages {
  return spoken.lang === 'ja' ? ja : en
}

/** Changes the language, the document's too. */
export function speak(choice: LangChoice): void {
  spoken.lang = choice === 'system' ? systemLang() : choice
  document.documentElement.lang = spoken.lang
}
