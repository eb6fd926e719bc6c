// The record files that the fake begins with: those of the sample space, and a few as people really leave them: broken
// frontmatter, a file that may not be written, one that is no UTF-8, names that no record may have.
import type { RecordKind, StrayFile } from '../records'
import type { Ground } from './ground'

export interface FakeFile {
  text: string
  modified: number
  readOnly?: true
  /** It is not UTF-8. */
  unreadable?: true
  crlf?: true
}
export interface FakeFiles {
  /** By ref. */
  files: Map<string, FakeFile>
  strays: StrayFile[]
}

const sample = import.meta.glob<string>('../../../../tests/fixtures/sample-space/**/*.md', { query: '?raw', import: 'default', eager: true })

const FOLDERS: Record<RecordKind, string> = { summary: 'memory', decision: 'memory/decisions', request: 'memory/requests', knowledge: 'knowledge' }
export const kindOf = (ref: string) => ref.split(':')[0] as RecordKind
export const slugOf = (ref: string) => ref.split(':')[1] ?? 'summary'
export const fileOf = (ref: string) => `${FOLDERS[kindOf(ref)]}/${slugOf(ref)}.md`

const BROKEN = `---
kind: procedure
description: 返品の受付: 送料の負担は理由で決まる
model_invokation: true
user_invocable: true
last_sources: []
created_at: 2026-06-02T10:00:00+09:00
updated_at: 2026-06-30T16:20:00+09:00
---

# 返品の受付

お客さまの都合なら送料は購入者、破損なら店が持つ。#tax-rouding も見ること。
`
const REPLACED = `---
created_at: 2026-05-20T09:00:00+09:00
updated_at: 2026-06-11T18:30:00+09:00
sources:
  - session_id: 019e38a3-ee40-7a3a-92ed-1076f5122316
    range: [1, 4]
status: replaced
replaced_by: round-tax-once
---

# Round tax on every line

Each line is rounded by itself, because the cart shows it so.
`
const STALE = `---
created_at: 2026-07-01T09:00:00+09:00
updated_at: 2026-06-01T09:00:00+09:00
sources: []
status: done
---

# Importer keeps the shop's own numbers

Order numbers from the old shop stay searchable; see #shift-jis-imports.
`

/** Enough for a table of any length. */
function addMany(files: Map<string, FakeFile>, count: number, now: number): void {
  const words = ['checkout', 'tax', 'mail', 'image', 'search', 'coupon', 'backup', 'import', 'session', 'island']
  const about = ['端数処理の決まり', 'Why the cache is warm', '画像の置き場所', 'メールの文面', 'How an order is split']
  for (let nth = 0; nth < count; nth++) {
    const kind: RecordKind = nth % 5 < 3 ? 'knowledge' : nth % 5 === 3 ? 'decision' : 'request'
    const at = new Date(now - nth * 3_700_000).toISOString().replace('.000', '')
    const own =
      kind === 'knowledge'
        ? `kind: ${['rule', 'research', 'procedure'][nth % 3] ?? ''}\ndescription: ${about[nth % about.length] ?? ''} ${nth}\nmodel_invokation: false\nuser_invocable: true\nlast_sources: []\n`
        : `sources: []\n${kind === 'decision' ? `status: ${['open', 'resolved'][nth % 2] ?? ''}\n` : ''}`
    files.set(`${kind}:${words[nth % words.length] ?? ''}-${String(nth).padStart(4, '0')}`, {
      text: `---\n${own}created_at: ${at}\n${nth % 40 === 7 ? '' : `updated_at: ${at}\n`}---\n\n# ${about[nth % about.length] ?? ''} ${nth}\n\n本文です。The text of record ${nth}.\n`,
      modified: now - nth * 3_700_000,
    })
  }
}

export function readFiles({ address, now }: Ground): FakeFiles {
  const files = new Map<string, FakeFile>()
  const strays: StrayFile[] = []
  if (address.get('begin') === 'empty' || address.get('records') === 'none') return { files, strays }
  const byFolder = Object.entries(FOLDERS) as [RecordKind, string][]
  Object.keys(sample)
    .sort()
    .forEach((path, nth) => {
      const [folder = '', name = ''] = /sample-space\/(.*)\/([^/]+)\.md$/.exec(path)?.slice(1) ?? []
      const kind = byFolder.find(([, of]) => of === folder)?.[0]
      if (kind) files.set(kind === 'summary' ? 'summary' : `${kind}:${name}`, { text: sample[path] ?? '', modified: now - (nth * 17 + 3) * 3_600_000 })
    })
  const at = (hours: number) => now - hours * 3_600_000
  files.set('knowledge:returns', { text: BROKEN, modified: at(5) })
  files.set('decision:round-tax-on-every-line', { text: REPLACED, modified: at(700) })
  files.set('decision:importer-keeps-numbers', { text: STALE, modified: at(900), crlf: true })
  files.set('knowledge:legacy-notes', { text: '', modified: at(2000), unreadable: true })
  const fixed = files.get('knowledge:restore-drill')
  if (fixed) fixed.readOnly = true
  strays.push({ file: 'knowledge/Old Notes.md', message: '', rename_to: 'old-notes' })
  if (address.get('big') !== null) {
    const line = '一メガバイトの記録でも、打鍵は待たせません。This line is long enough to be a paragraph of its own.\n'
    const head = files.get('knowledge:tax-rounding')?.text.split('\n\n')[0] ?? ''
    files.set('knowledge:big', { text: `${head}\n\n# Big\n\n${line.repeat(Math.ceil(1_000_000 / 130))}`, modified: at(1) })
  }
  addMany(files, Number(address.get('records') ?? 0), now)
  return { files, strays }
}
