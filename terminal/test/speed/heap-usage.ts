// Asks Chromium for the memory of a page's programs, without their garbage.
import type { CDPSession, Page } from 'playwright-core'

/** Returns the bytes used by the page or its worker. */
export type MeasureHeap = (program: 'page' | 'worker') => Promise<number>
type Usage = Readonly<{ usedSize: number }>
type Send = (method: 'HeapProfiler.collectGarbage' | 'Runtime.getHeapUsage') => Promise<unknown>

export async function openHeaps(page: Page): Promise<MeasureHeap> {
  const session = await page.context().newCDPSession(page)
  const sendWorker = await attachWorker(session)
  const sends: Readonly<Record<'page' | 'worker', Send>> = {
    page: (method) => session.send(method),
    worker: sendWorker,
  }
  return async (program) => {
    const send = sends[program]
    await send('HeapProfiler.collectGarbage')
    return ((await send('Runtime.getHeapUsage')) as Usage).usedSize
  }
}

/** A worker is reached through its page: messages are nested in messages. */
async function attachWorker(session: CDPSession): Promise<Send> {
  const attached = new Promise<string>((resolve) => {
    session.once('Target.attachedToTarget', ({ sessionId }) => resolve(sessionId))
  })
  const how = { autoAttach: true, waitForDebuggerOnStart: false, flatten: false }
  await session.send('Target.setAutoAttach', how)
  const sessionId = await attached
  const waiting = new Map<number, (result: unknown) => void>()
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id = 0, result } = JSON.parse(message) as { id?: number; result?: unknown }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let last = 0
  return (method) => {
    const id = ++last
    const answer = new Promise<unknown>((resolve) => waiting.set(id, resolve))
    const message = JSON.stringify({ id, method })
    const sent = session.send('Target.sendMessageToTarget', { sessionId, message })
    return sent.then(() => answer)
  }
}
