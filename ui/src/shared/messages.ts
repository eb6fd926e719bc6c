// Every text of the page in both languages. `ja` has the type of `en`, so a missing message fails the build's check.
//
// Glossary (one word for one thing): the record 記録, a space スペース, a conversation 会話, memory メモリ,
// a task タスク, the command line コマンドライン.

const en = {
  tagline: 'The record that AI agents leave: what was asked, what was decided, what was learnt, and what is left.',
  state:
    'This window has nothing to show yet. For now the command line, kiroku, does all the work: it brings conversations into one file, the space, and searches them there.',
  commandsTitle: 'On the command line',
  newSpace: 'Make a space: one file that holds everything',
  importing: 'Bring conversations in from an exchange file',
  search: 'Search every conversation, by part of a word',
  around: 'Read what was said around a hit',
  help: 'Everything else that it can do',
}

const ja: typeof en = {
  tagline: 'AI エージェントが残す記録です。頼まれたこと、決まったこと、わかったこと、残っていること。',
  state:
    'このウィンドウには、まだ表示するものがありません。今はコマンドライン kiroku がすべての作業を行います。会話をスペースという一つのファイルに取り込み、その中を検索します。',
  commandsTitle: 'コマンドラインで',
  newSpace: 'スペースを作ります。すべてを収める一つのファイルです',
  importing: '交換形式のファイルから会話を取り込みます',
  search: 'すべての会話を、言葉の一部から検索します',
  around: '見つかった所の前後の会話を読みます',
  help: 'ほかにできることを表示します',
}

// The page follows the system: the first language that the person prefers and that we speak.
export const lang: 'ja' | 'en' =
  navigator.languages.map((name) => name.slice(0, 2)).find((name) => name === 'ja' || name === 'en') ?? 'en'

export const messages = lang === 'ja' ? ja : en
