// Puts an end to waiting for work that may never settle.

/** Settles as `work` does; rejects when that takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const controller = new AbortController()
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Error(`still under way after ${ms} ms`)), ms)
    controller.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  return Promise.race([work, late]).finally(() => controller.abort())
}
