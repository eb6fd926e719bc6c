// The task lists of agents' threads, by the shell's commands.
import type { Lists } from '../lists'

export const lists: Lists = {}
