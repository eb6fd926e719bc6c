// Dragging by pointer events, as far as it has nothing to do with what is dragged: a press that moves becomes a drag, which
// follows the pointer over the window until it is let go or taken back, and scrolls what it is held at the edge of.
// Hand-written because a drag must survive that its card leaves the page (columns are virtualised), and because it is
// less than what it takes to hold a library to that under frozen prototypes.

/** How far a press moves before it is a drag. */
const THRESHOLD = 5
/** How near the edge of a list scrolls it, and how fast at most, in pixels a frame. */
const EDGE = 48
const FASTEST = 16

export interface Drag {
  /** The press became a drag: where in the card it was taken, and how large that is. */
  begin: (grip: { x: number; y: number; width: number }) => void
  /** The pointer is here now. */
  move: (x: number, y: number) => void
  /** What scrolls under the pointer, if anything. */
  scroller: (x: number, y: number) => HTMLElement | undefined
  /** It was let go, or taken back. */
  end: (dropped: boolean) => void
}

/** Follows a press on `card`. */
export function follow(press: PointerEvent, card: HTMLElement, drag: Drag): void {
  if (press.button !== 0 || press.pointerType === 'touch') return
  const box = card.getBoundingClientRect()
  let [x, y] = [press.clientX, press.clientY]
  let begun = false
  let frame = 0
  const stop = new AbortController()
  const { signal } = stop

  function scroll() {
    const element = drag.scroller(x, y)
    if (element) {
      const { top, bottom } = element.getBoundingClientRect()
      const speed = y < top + EDGE ? y - top - EDGE : y > bottom - EDGE ? y - bottom + EDGE : 0
      if (speed !== 0) {
        element.scrollTop += Math.max(-1, Math.min(1, speed / EDGE)) * FASTEST
        drag.move(x, y)
      }
    }
    frame = requestAnimationFrame(scroll)
  }
  function end(dropped: boolean) {
    stop.abort()
    cancelAnimationFrame(frame)
    if (!begun) return
    // The click that follows a drag is none.
    const swallow = (event: Event) => {
      event.stopPropagation()
      event.preventDefault()
    }
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }))
    drag.end(dropped)
  }

  addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId !== press.pointerId) return
      ;[x, y] = [event.clientX, event.clientY]
      if (!begun) {
        if (Math.hypot(x - press.clientX, y - press.clientY) < THRESHOLD) return
        begun = true
        drag.begin({ x: press.clientX - box.left, y: press.clientY - box.top, width: box.width })
        frame = requestAnimationFrame(scroll)
      }
      drag.move(x, y)
    },
    { signal },
  )
  addEventListener('pointerup', (event) => event.pointerId === press.pointerId && end(true), { signal })
  addEventListener('pointercancel', () => end(false), { signal })
  addEventListener('blur', () => end(false), { signal })
  addEventListener(
    'keydown',
    (event) => {
      if (!begun || event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      end(false)
    },
    { signal, capture: true },
  )
}
