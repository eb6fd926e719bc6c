// The tour's views of tasks, conversations and importing; `tour.mjs` says what a view is.

export const conversationViews = []
