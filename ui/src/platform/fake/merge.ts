// Three texts merged by lines, as the engine does it: stretches that only one side changed are taken, those that both
// changed differently stand there marked.
import type { Merged } from '../records'

/** For each line of `a`, the line of `b` that it is kept as, or -1: a longest common subsequence. */
function kept(a: string[], b: string[]): number[] {
  const made = a.map(() => -1)
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) made[start] = start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) {
    end += 1
    made[a.length - end] = b.length - end
  }
  const [rows, columns] = [a.length - end - start, b.length - end - start]
  const best = Array.from({ length: rows + 1 }, () => new Array<number>(columns + 1).fill(0))
  const at = (i: number, j: number) => best[i]?.[j] ?? 0
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) {
      const row = best[i]
      if (row) row[j] = a[start + i] === b[start + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (a[start + i] === b[start + j]) made[start + i++] = start + j++
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1
    else j += 1
  }
  return made
}

export function mergeTexts(base: string, draft: string, present: string): Merged {
  const [b, d, p] = [base, draft, present].map((text) => text.split(/(?<=\n)/)) as [string[], string[], string[]]
  const [inDraft, inPresent] = [kept(b, d), kept(b, p)]
  const conflicts: Merged['conflicts'] = []
  let text = ''
  let [i, j, k] = [0, 0, 0]
  const ended = (line: string) => (line === '' || line.endsWith('\n') ? line : `${line}\n`)
  while (i < b.length || j < d.length || k < p.length) {
    if (i < b.length && inDraft[i] === j && inPresent[i] === k) {
      text += b[i]
      i += 1
      j += 1
      k += 1
      continue
    }
    // To the next line that both kept.
    let next = i
    while (next < b.length && ((inDraft[next] ?? -1) < j || (inPresent[next] ?? -1) < k)) next += 1
    const [toDraft, toPresent] = next < b.length ? [inDraft[next] ?? 0, inPresent[next] ?? 0] : [d.length, p.length]
    const [was, mine, theirs] = [b.slice(i, next).join(''), d.slice(j, toDraft).join(''), p.slice(k, toPresent).join('')]
    if (mine === theirs || theirs === was) text += mine
    else if (mine === was) text += theirs
    else {
      conflicts.push({ base: [i, next], draft: [j, toDraft], present: [k, toPresent] })
      text += `<<<<<<< draft\n${ended(mine)}||||||| base\n${ended(was)}=======\n${ended(theirs)}>>>>>>> present\n`
    }
    ;[i, j, k] = [next, toDraft, toPresent]
  }
  return { text, conflicts }
}
