// The tour's views of the board; `tour.mjs` says what a view is.

export const boardViews = []
