// The board's texts in both languages. The glossary stands at the head of `en.ts`.

export const boardEn = {
  pick: 'Choose a thread to see its list.',
}

export const boardJa: typeof boardEn = {
  pick: 'スレッドを選ぶと、そのリストが表示されます。',
}
