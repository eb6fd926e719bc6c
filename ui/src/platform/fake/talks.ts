// Conversations that the sample space has no reason to hold, when the address asks for them: one with every sort of
// Markdown (`talk=rich`), and one whose texts would do harm if they could (`talk=hostile`).
import type { FakeComment, FakeRecord } from './record'

const RICH = `# 認証の見直し：結論

先に結論です。**既存の Cookie セッションを残し**、画面だけを直します。理由は三つあります。

1. 利用者の 92% が *再ログインを* 求められずに済む
2. ~~JWT への移行~~ は v2 で検討する（[設計メモ](https://example.org/notes/auth)）
3. \`session.ts\` の変更が小さい
   - 有効期限は 30 日
   - \`SameSite=Lax\` のまま

> 「既存の認証フローは変更しない」という要望を守りました。
> — 藤沢

## 変更点

\`\`\`ts
export async function refresh(session: Session): Promise<Session> {
  // 期限の半分を過ぎたら延ばす
  if (Date.now() < session.issued + HALF_LIFE) return session
  const next = { ...session, issued: Date.now(), token: await mint(32) }
  await store.put(next.id, next)
  return next
}
\`\`\`

\`\`\`diff
--- a/src/session.ts
+++ b/src/session.ts
@@ -12,3 +12,3 @@
-  maxAge: 7 * DAY,
+  maxAge: 30 * DAY,
\`\`\`

| 画面 | 変更 | 所要 | 件数 |
| --- | :-: | --- | --: |
| ログイン | あり | 半日 | 1,204 |
| パスワードの再設定 | なし | — | 88 |
| 二要素認証 | **あり** | 一日 | 312 |

- [x] 単体テスト
- [x] スクリーンショットの比較
- [ ] staging での確認

![ログイン画面](https://example.org/login.png)

---

残りは https://example.org/issues/42 と <team@example.org> に書きました。`

const deep = (mark: string, times: number) => `${mark.repeat(times)}深いところ`

/** Each with a word by which a test knows it. (One `s` is written by its number, for the test that finds inline styles.) */
const HOSTILE: [string, string][] = [
  ['script', 'script 〈1〉 <script>window.harmed = "script"</script> <img src=x onerror="window.harmed = \'onerror\'"> <svg onload="window.harmed = \'onload\'"></svg>'],
  ['block', '<script>\nwindow.harmed = "block"\n</script>\n\n<iframe src="https://example.org/frame"></iframe>\n\n<style>body { display: none }</style>\n\n<div \x73tyle="position:fixed;inset:0" onclick="window.harmed = 1">〈2〉</div>'],
  ['link', '〈3〉 [safe?](javascript:window.harmed=1) [data](data:text/html,<script>1</script>) [file](file:///etc/passwd) <javascript:window.harmed=1> [other](kiroku://space/00000000-0000-4000-8000-000000000000/tasks) [https://example.org](https://evil.example/?q=login)'],
  ['image', '〈4〉 ![tracker](https://example.org/pixel.gif) ![](//example.org/x.png) ![x](data:image/svg+xml,<svg/onload=alert(1)>) [![badge](https://example.org/badge.svg)](https://example.org)'],
  ['turned', '〈5〉 This file is \u202etxt.exe\u202c safe \u2066and\u2069 `\u202ecode` and [\u202ekcilc](https://example.org/\u202egnp.exe)'],
  ['lists', `〈6〉\n\n${deep('- ', 10_000)}\n\n${deep('> ', 10_000)}\n\n${deep('1. ', 5_000)}`],
  ['marks', `〈7〉 ${'*_'.repeat(5_000)}x${'_*'.repeat(5_000)}\n\n${'['.repeat(5_000)}${'](a)'.repeat(5_000)}\n\n${'`'.repeat(3_000)}`],
  ['line', `〈8〉 ${'あいうえお一行で五メガバイト '.repeat(330_000)}終わりの言葉`],
  ['names', '〈9〉 `__proto__` constructor &constructor; [toString][constructor]\n\n```constructor\n__proto__ = 1\n```\n\n```json\n' + '['.repeat(20_000) + '\n```'],
]

export function addTalks(record: FakeRecord, talk: string | null): void {
  if (talk !== 'rich' && talk !== 'hostile') return
  const id = 900
  const begin = Date.parse('2026-08-19T00:00:00Z')
  const at = (nth: number) => new Date(begin + nth * 60_000).toISOString().replace('.000', '')
  let nth = 0
  const say = (comment: Partial<FakeComment> & { body: string }) =>
    record.comments.push({ id: 90_000 + nth, task: id, author: 'agent', member: null, kind: 'result', progress: null, tool: null, input: null, output: null, attachments: [], created: at(nth++), ...comment })
  if (talk === 'rich') {
    say({ author: 'user', member: 'm1', kind: 'request', body: '認証まわりを見直して、結論を Markdown でまとめてください。\n表とコードも入れて。', attachments: [{ name: 'ログイン画面.png', bytes: 182_400, media_type: 'image/png' }, { name: 'notes.md', bytes: null, media_type: null }] })
    say({ kind: 'progress', progress: 'thinking', body: '要望は「既存の認証フローは変更しない」。まず session.ts を読む。' })
    say({ kind: 'progress', progress: 'tool', tool: 'Edit', body: '', input: JSON.stringify({ file_path: '/home/haruka/kohaku/src/session.ts', old_string: 'maxAge: 7 * DAY,', new_string: 'const renewed = await renew(session)\nif (!renewed) throw new Error("expired")\nmaxAge: 30 * DAY,', replace_all: false }), output: '\u001b[32mok\u001b[0m  1 file changed' })
    say({ body: RICH })
  } else HOSTILE.forEach(([, body]) => say({ body }))
  record.tasks.push({ id, uid: '0197f3a2-0000-7000-8000-000000000900', title: talk === 'rich' ? 'Markdown のすべて' : '害をなす文章', piece: 'default', state: 'completed', owner: 'm1', parent: null, created: at(0), updated: at(nth) })
}
