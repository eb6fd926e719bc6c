// The memory and knowledge records, by the shell's commands.
import type { Records } from '../records'

export const records: Records = {}
