// The task lists of agents' threads, invented and kept in memory.
import type { Lists } from '../lists'
import type { Ground } from './ground'

export function makeLists(_ground: Ground): Lists {
  return {}
}
