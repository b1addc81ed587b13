// Begins before anything of the page is drawn, in a script of its own: the worker, and with it the
// connection to the venue, start while the rest is still being read and run.
import { trustedScript } from './trusted-types.ts'
import type { FromWorker, ToWorker } from './worker/protocol.ts'
import workerUrl from './worker/venue-worker.ts?worker&url'

/**
 * Where the venue is; `integratedUrl` is of the host of its pools, `faucetUrl` of a page that gives
 * test money; each is empty where there is none.
 */
export type Hosts = Readonly<{
  apiUrl: string
  integratedUrl: string
  faucetUrl: string
  config: unknown
}>

/** What it says of the chain is for the worker: see `chain/venue-config.ts`. */
type Config = Readonly<{ apiUrl: string; integratedUrl?: string; faucetUrl?: string }>
type Listener = (news: FromWorker) => void

/** Says where the venue is. The page may stand behind a path prefix, as the API beside it. */
async function readHosts(): Promise<Hosts> {
  const config = (await (await fetch('./config.json')).json()) as Config
  const { apiUrl, integratedUrl = '', faucetUrl = '' } = config
  return {
    apiUrl: apiUrl === '' ? new URL('.', location.href).href : apiUrl,
    ...{ integratedUrl, config },
    // It becomes a link: nothing but a page of the web.
    faucetUrl: /^https?:\/\//.test(faucetUrl) ? faucetUrl : '',
  }
}

const worker = new Worker(trustedScript(workerUrl), { type: 'module' })
/** Came before the page could hear it. */
const early: FromWorker[] = []
let hear: Listener = (news) => void early.push(news)
worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => hear(data))

const post = (message: ToWorker): void => worker.postMessage(message)
const market = new URLSearchParams(location.search).get('market') ?? undefined
const hosts = readHosts().then((found) => {
  const { apiUrl, integratedUrl, config } = found
  post({ kind: 'open', apiUrl, integratedUrl, config, market })
  return found
})
// Whoever waits for them hears of it.
hosts.catch(() => {})

/** What has begun. */
export const begun = {
  hosts,
  /** Says something to the worker, once it knows where the venue is. */
  post: (message: ToWorker): void =>
    void hosts.then(
      () => post(message),
      () => {},
    ),
  /** Has a listener hear what the worker says, and what it has said by now. */
  listen: (listener: Listener): void => {
    hear = listener
    for (const news of early.splice(0)) listener(news)
  },
} as const
export type Begun = typeof begun
