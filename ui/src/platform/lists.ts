// The task lists of agents' threads, as the page's door reaches them.

export interface Lists {}
