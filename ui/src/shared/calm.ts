// Work that follows changes elsewhere: at once for the first, then at most once in a while however many come (an import
// tells of changes every 150 ms), and never twice at the same time. The last change is never passed over.

export function calm(work: () => Promise<unknown>, every = 1_000): () => void {
  let busy = false
  let again = false
  return function ask() {
    if (busy) {
      again = true
      return
    }
    busy = true
    const began = performance.now()
    void work()
      .catch(() => undefined)
      .then(() => new Promise((rested) => setTimeout(rested, Math.max(0, every - (performance.now() - began)))))
      .then(() => {
        busy = false
        if (!again) return
        again = false
        ask()
      })
  }
}
