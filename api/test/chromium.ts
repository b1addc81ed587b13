// A headless Chromium for tests of pages, controlled over its own protocol: Debian's package,
// unless CHROMIUM names the program.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from '@openvenue/core/test/until'

const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0']

type Reply = Readonly<{ id?: number; result?: unknown; error?: unknown }>
type Send = (method: string, params?: object) => Promise<unknown>

type Page = Readonly<{
  send: Send
  /** Waits until an expression is true and returns the milliseconds since `open`, or fails. */
  until: (expression: string, msMax: number) => Promise<number>
  evaluate: (expression: string) => Promise<unknown>
}>

export type Chromium = Readonly<{
  /** Opens a page with an empty cache. */
  open: (url: string) => Promise<Page>
  close: () => Promise<void>
}>

export async function startChromium(program: string): Promise<Chromium> {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-chromium-'))
  const args = [...FLAGS, `--user-data-dir=${folder}`, 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const socket = new WebSocket(await debuggerUrl(child))
  await once(socket, 'open')
  const send = sender(socket)
  return {
    open: (url) => openPage(send, url),
    close: async () => {
      const exited = once(child, 'exit')
      await Promise.race([send('Browser.close'), exited])
      await exited
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Chromium prints it on its standard error. */
async function debuggerUrl({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('the standard error is a pipe')
  for await (const line of createInterface(stderr)) {
    const [url] = /ws:\/\/\S+/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('Chromium ended before it listened')
}

type SendTo = (method: string, params?: object, sessionId?: string) => Promise<unknown>

function sender(socket: WebSocket): SendTo {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0
  socket.onmessage = ({ data }) => {
    const { id = 0, result, error } = JSON.parse(String(data)) as Reply
    const promise = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) promise?.resolve(result)
    else promise?.reject(new Error(JSON.stringify(error)))
  }
  return (method, params = {}, sessionId) => {
    const promise = Promise.withResolvers<unknown>()
    waiting.set(++lastId, promise)
    socket.send(JSON.stringify({ id: lastId, method, params, sessionId }))
    return promise.promise
  }
}

async function openPage(sendTo: SendTo, url: string): Promise<Page> {
  const { targetId } = (await sendTo('Target.createTarget', { url: 'about:blank' })) as {
    targetId: string
  }
  const attach = { targetId, flatten: true }
  const { sessionId } = (await sendTo('Target.attachToTarget', attach)) as { sessionId: string }
  const send: Send = (method, params) => sendTo(method, params, sessionId)
  const evaluate = async (expression: string) => {
    const answer = await send('Runtime.evaluate', { expression, returnByValue: true })
    return (answer as { result: { value?: unknown } }).result.value
  }
  await send('Network.enable')
  await send('Network.setCacheDisabled', { cacheDisabled: true })
  const startMs = performance.now()
  await send('Page.navigate', { url })
  return {
    send,
    evaluate,
    until: async (expression, msMax) => {
      const leftMs = msMax - (performance.now() - startMs)
      await until(expression, async () => (await evaluate(expression)) === true, leftMs)
      return performance.now() - startMs
    },
  }
}
