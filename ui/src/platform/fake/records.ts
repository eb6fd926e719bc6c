// The memory and knowledge records, invented and kept in memory.
import type { Records } from '../records'
import type { Ground } from './ground'

export function makeRecords(_ground: Ground): Records {
  return {}
}
