// What the checker says, in the text: an underline and a mark in the gutter, with its words and its ways out on hover.
import { setDiagnostics, type Diagnostic } from '@codemirror/lint'
import type { EditorState, TransactionSpec } from '@codemirror/state'
import type { QuickFix, RecordFinding } from '../../../platform'
import { placeNow, type Snapshot } from './splice'

/** Shows findings, which were made of the snapshot's text, where they are now. */
export function showProblems(state: EditorState, findings: readonly RecordFinding[], made: Snapshot, fix: (fix: QuickFix) => void): TransactionSpec {
  const diagnostics = findings.map((finding): Diagnostic => {
    const from = placeNow(made, finding.from)
    return {
      from,
      to: Math.max(from, placeNow(made, finding.to)),
      severity: finding.severity,
      message: finding.message,
      actions: finding.fixes.map((one) => ({ name: one.label, apply: () => fix(one) })),
    }
  })
  return setDiagnostics(state, diagnostics)
}
