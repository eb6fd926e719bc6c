// The texts of memory and knowledge in both languages. The glossary stands at the head of `en.ts`.

export const recordsEn = {
  pick: 'Choose a record to read it.',
}

export const recordsJa: typeof recordsEn = {
  pick: '記録ファイルを選ぶと、内容が表示されます。',
}
