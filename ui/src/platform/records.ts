// The memory and knowledge records, as the page's door reaches them.

export interface Records {}
