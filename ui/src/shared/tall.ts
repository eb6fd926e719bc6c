// A virtual list fills the height that it is given; one that stands among other things is as tall as its rows, up to a
// height from which on it scrolls.

/** For the element around such a list: as tall as `count` rows of `each` pixels, and as `most` rows at most. */
export const tall = (count: number, each: number, most: number) => (element: HTMLElement) =>
  element.style.setProperty('height', `${Math.min(count, most) * each}px`)
