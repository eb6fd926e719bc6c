// The time that relative dates are told from. It moves on once a minute, and only while the window is seen.

class Clock {
  now = $state(0)

  /** Starts to run by `read`, which the platform gives. */
  run(read: () => number): void {
    this.now = read()
    setInterval(() => {
      if (!document.hidden) this.now = read()
    }, 30_000)
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.now = read()
    })
  }
}

export const clock = new Clock()
