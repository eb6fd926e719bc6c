// What the form knows of a field beside what the engine tells it: which control fits its value, and with what a field
// begins that is not there yet.
import type { FieldValue } from '../../../platform'

export type Control = 'bool' | 'status' | 'slug' | 'long' | 'time' | 'text' | 'int' | 'range' | 'sources' | 'raw'

const NAMED: Record<string, Control> = {
  created_at: 'time',
  updated_at: 'time',
  status: 'status',
  replaced_by: 'slug',
  description: 'long',
  model_invokation: 'bool',
  user_invocable: 'bool',
  sources: 'sources',
  last_sources: 'sources',
  last_rewritten_from_range: 'range',
}
const TEXTS = new Set<Control>(['status', 'slug', 'long', 'time', 'text'])

/** The control for a field as it is written: a value that is not of the field's own shape is shown as what it is. */
export function controlOf(name: string, value: FieldValue): Control {
  const own = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
  switch (value.type) {
    case 'null':
      return own ?? 'text'
    case 'text':
      return own !== undefined && TEXTS.has(own) ? own : value.value.includes('\n') ? 'long' : 'text'
    case 'yaml':
      return 'raw'
    default:
      return value.type
  }
}

/** Whether the control takes a row of its own. */
export const isWide = (control: Control): boolean => ['long', 'sources', 'status', 'raw'].includes(control)

/** With what a field begins. */
export function beginningOf(name: string, now: number): FieldValue {
  switch (Object.hasOwn(NAMED, name) ? NAMED[name] : 'text') {
    case 'bool':
      return { type: 'bool', value: false }
    case 'time':
      return { type: 'text', value: new Date(now).toISOString().replace(/\.\d+/, '') }
    case 'sources':
      return { type: 'sources', value: [] }
    case 'range':
      return { type: 'range', value: [1, 1] }
    case 'status':
      return { type: 'text', value: 'open' }
    default:
      return { type: 'text', value: '' }
  }
}
