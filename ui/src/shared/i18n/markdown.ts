// The texts around a rendered text in both languages: code blocks, links, images. The glossary stands at the head of `en.ts`.

export const markdownEn = {
  code: 'Code',
  copyCode: 'Copy the code',
  table: 'Table',
  image: 'Image:',
  imageNotShown: 'Images of a text are not fetched.',
  done: 'Done',
  open: 'Not done',
  openLink: 'Open this page in the browser',
  openMail: 'Write to this address',
  goThere: 'Open',
  notOpened: 'The link was not opened',
  copyAddress: 'Copy the address',
  addressCopied: 'Address copied',
}

export const markdownJa: typeof markdownEn = {
  code: 'コード',
  copyCode: 'コードをコピー',
  table: '表',
  image: '画像:',
  imageNotShown: '本文の画像は読み込みません。',
  done: '完了',
  open: '未完了',
  openLink: 'このページをブラウザーで開く',
  openMail: 'この宛先にメールを書く',
  goThere: '開く',
  notOpened: 'リンクを開けませんでした',
  copyAddress: 'アドレスをコピー',
  addressCopied: 'アドレスをコピーしました',
}
