// The tour's views of memory and knowledge; `tour.mjs` says what a view is.

export const recordsViews = []
