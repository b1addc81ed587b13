// Starts the worker, and with it the connection to the venue, in a separate script before the rest
// of the page is read and run.
import { trustedScript } from './page/trusted-types.ts'
import type { Hosts, WorkerConnection } from './page/venue.ts'
import type { FromWorker, ToWorker } from './protocol/protocol.ts'
import workerUrl from './worker/venue-worker.ts?worker&url'

/** Chain settings of the file are read by the worker: see `venue-config.ts`. */
type PageConfig = Readonly<{ apiUrl: string; integratedUrl?: string; faucetUrl?: string }>
type NewsListener = (news: FromWorker) => void

/**
 * Returns the URLs of the venue's hosts. The page may be served under a path prefix, as may the
 * API.
 */
async function readHosts(): Promise<Hosts> {
  const config = (await (await fetch('./config.json')).json()) as PageConfig
  const { apiUrl, integratedUrl = '', faucetUrl = '' } = config
  return {
    apiUrl: apiUrl === '' ? new URL('.', location.href).href : apiUrl,
    ...{ integratedUrl, config },
    // It becomes a link, so only web URLs are allowed.
    faucetUrl: /^https?:\/\//.test(faucetUrl) ? faucetUrl : '',
  }
}

const worker = new Worker(trustedScript(workerUrl), { type: 'module' })
/** Messages that arrived before the page registered a listener. */
const early: FromWorker[] = []
let hear: NewsListener = (news) => void early.push(news)
worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => hear(data))

const post = (message: ToWorker): void => worker.postMessage(message)
const market = new URLSearchParams(location.search).get('market') ?? undefined
const hosts = readHosts().then((venueHosts) => {
  const { apiUrl, integratedUrl, config } = venueHosts
  post({ kind: 'open', apiUrl, integratedUrl, config, market })
  return venueHosts
})
// Rejections are handled where `hosts` is awaited.
hosts.catch(() => {})

export const begun: WorkerConnection = {
  hosts,
  post: (message) =>
    void hosts.then(
      () => post(message),
      () => {},
    ),
  listen: (listener) => {
    hear = listener
    for (const news of early.splice(0)) listener(news)
  },
}
