// Causes each alert on a venue, with its remedy from the runbook; the slowest alerts come first.

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { until } from '../servers/until.ts'
import type { Venue } from '../venue/venue.ts'
import type { AlertDrill } from './alert-drill.ts'
import { setFunds, signedOrder } from './orders.ts'

/** Opens many sockets that exceed the message limit, each from its own address. */
const SOCKETS = 30
/** All addresses of 127.0.0.0/8 belong to this machine. */
const ADDRESS_MIN = 10
const MESSAGES = 5_000
const CLOSED_MS_MAX = 30_000

/** Returns the number of sockets that the venue closed. */
async function flood(apiUrl: string): Promise<number> {
  const url = `${apiUrl.replace('http', 'ws')}/ws`
  const closed = await Promise.all(
    Array.from({ length: SOCKETS }, (_, at) => floodFrom(url, `127.0.0.${ADDRESS_MIN + at}`)),
  )
  return closed.filter(Boolean).length
}

async function floodFrom(url: string, localAddress: string): Promise<boolean> {
  const socket = new WebSocket(url, { localAddress })
  socket.on('error', () => {})
  await once(socket, 'open')
  const over = once(socket, 'close', { signal: AbortSignal.timeout(CLOSED_MS_MAX) })
  for (let n = 0; n < MESSAGES; n++) socket.send(JSON.stringify({ op: 'ping', id: n }))
  return over.then(
    () => true,
    () => false,
  )
}

/** The node keeps the state of few blocks, and cannot go back further. */
const DEPTH = 5
const ASKED_EVERY_MS = 200
const LEFT_MILLICOINS = 20n
const FULL_MILLICOINS = 10_000_000n
const KEEPERS = ['keeper-1', 'keeper-2']
const ENDED_MS_MAX = 30_000

/** A query running on the replica, with rows that it must not lose: replay waits for it. */
const HELD_QUERY = 'SELECT pg_sleep(3600), count(*) FROM feed'
const HOLDING = `pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(3600)%'
  AND pid <> pg_backend_pid()`

/** Sends requests to the API nodes until stopped, whatever they answer. */
class Traffic {
  #stopping = new AbortController()

  start(urls: readonly string[]): void {
    this.#stopping = new AbortController()
    void this.#run(urls, this.#stopping.signal)
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #run(urls: readonly string[], stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      for (const url of urls)
        void fetch(`${url}/orderbook/ETH-PERP`, { signal: stopped })
          .then((answer) => answer.arrayBuffer())
          .catch(() => {})
      await sleep(ASKED_EVERY_MS)
    }
  }
}

const traffic = new Traffic()
const urlsOf = ({ parts }: Venue) => parts.apis.map(({ url }) => url)
const services = (venue: Venue, names: readonly string[]) =>
  venue.services.filter(({ name }) => names.includes(name))

/** Runbook: compare the block's hash. The indexer has the chain's own. */
async function isOnTheBranchOf({ parts }: Venue): Promise<void> {
  const agrees = async () => {
    const text = `SELECT number || ' ' || hash FROM checkpoint`
    const [number, hash] = (await parts.database.query(text, 'venue')).split(' ')
    const at = `0x${Number(number).toString(16)}`
    const block = await parts.chain.rpc.call('eth_getBlockByNumber', at, false)
    return (block as Readonly<{ hash: string }> | null)?.hash === hash
  }
  await until('the indexer is on the branch of the chain', agrees, ENDED_MS_MAX)
}

/** Runbook: limits work, so do nothing. The flooded node still serves other clients. */
async function othersAreServed(venue: Venue): Promise<void> {
  const url = urlsOf(venue)[0] ?? ''
  const answer = await fetch(`${url}/orderbook/ETH-PERP`)
  if (!answer.ok) throw new Error(`a flooded node answers ${answer.status}`)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  const signal = AbortSignal.timeout(ENDED_MS_MAX)
  await new Promise<void>((resolve, reject) => {
    signal.onabort = () => reject(new Error('a flooded node takes no socket'))
    socket.onerror = () => reject(new Error('a flooded node takes no socket'))
    socket.onopen = () => resolve()
  })
  socket.close()
}

export const ALERT_DRILLS: readonly AlertDrill[] = [
  {
    name: 'deep-reorganisation',
    about: `the newest ${DEPTH} blocks are replaced`,
    alerts: ['DeepReorganisation'],
    says: { who: 'indexer', what: /blocks undone/ },
    isSlowToEnd: true,
    cause: ({ parts }) => parts.chain.reorganise(DEPTH),
    remedy: isOnTheBranchOf,
  },
  {
    name: 'flood',
    about: 'thirty clients send more than a socket may',
    alerts: ['SocketsDropped'],
    isSlowToEnd: true,
    cause: async (venue) => void (await flood(urlsOf(venue)[0] ?? '')),
    remedy: othersAreServed,
  },
  {
    name: 'frozen-node',
    about: 'the nodes of the chain deliver nothing',
    alerts: ['HeadLag', 'FeedAge', 'OracleAge'],
    says: { who: 'indexer', what: /failed, trying again/ },
    cause: async ({ parts }) => parts.links.fail({ to: 'node' }, { mode: 'freeze' }),
    remedy: async ({ parts }) => parts.links.restore(),
  },
  {
    name: 'lost-database',
    about: 'the API nodes, which are asked five times a second, have no connection to PostgreSQL',
    alerts: ['FeedAge', 'ServerErrors'],
    isSlowToEnd: true,
    cause: async (venue) => {
      traffic.start(urlsOf(venue))
      venue.parts.links.fail({ to: 'database', from: 'api' }, { mode: 'cut' })
    },
    remedy: async ({ parts }) => parts.links.restore(),
  },
  {
    name: 'held-replica',
    about: 'a query on the replica holds its replay up',
    alerts: ['ReplicaLag'],
    cause: async ({ parts }) => {
      const { database, replica } = parts
      await replica.query('ALTER SYSTEM SET max_standby_streaming_delay = -1')
      await replica.query('SELECT pg_reload_conf()')
      replica.query(HELD_QUERY, 'venue').catch(() => {})
      const isHeld = async () => (await replica.query(`SELECT count(*) FROM ${HOLDING}`)) === '1'
      await until('the query blocks replay', isHeld, ENDED_MS_MAX)
      // Like an upgrade, locks the whole table for a moment.
      await database.query('ALTER TABLE feed SET (fillfactor = 100)', 'venue')
    },
    remedy: async ({ parts }) => {
      await parts.replica.query(`SELECT pg_terminate_backend(pid) FROM ${HOLDING}`)
    },
  },
  {
    name: 'lost-replica',
    about: 'no connection to the replica',
    alerts: ['ReplicaLag'],
    cause: async ({ parts }) => parts.links.fail({ to: 'replica' }, { mode: 'cut' }),
    remedy: async ({ parts }) => parts.links.restore(),
  },
  {
    name: 'poor-wallets',
    about: 'the wallets of the keeper and the relayer have few coins left',
    alerts: ['FundsLow'],
    cause: (venue) => setFunds(venue, LEFT_MILLICOINS),
    remedy: (venue) => setFunds(venue, FULL_MILLICOINS),
  },
  {
    name: 'forgetful-node',
    about: 'the nodes of the keepers take transactions and forget them; an order is accepted',
    alerts: ['NonceStuck', 'RelayQueueAge', 'OracleAge'],
    says: { who: 'keeper', what: /dropped or undone: sent again|stuck: sent again/ },
    cause: async (venue) => {
      const send = await signedOrder(venue)
      venue.parts.links.setFault({ kind: 'forgets' }, { from: 'keeper' })
      await send()
    },
    remedy: async ({ parts }) => parts.links.setFault({ kind: 'honest' }, { from: 'keeper' }),
  },
  {
    name: 'no-prices',
    about: 'where prices come from answers nothing of use',
    alerts: ['OracleAge'],
    says: { who: 'keeper', what: /a task failed, trying again/ },
    cause: async ({ parts }) => parts.prices.refuse(true),
    remedy: async ({ parts }) => parts.prices.refuse(false),
  },
  {
    name: 'no-keeper',
    about: 'both keepers, which relay as well, are killed',
    alerts: ['NoLeaseHolder'],
    cause: async (venue) => {
      await Promise.all(services(venue, KEEPERS).map((service) => service.kill()))
    },
    remedy: async (venue) => {
      for (const service of services(venue, KEEPERS)) service.start()
    },
  },
  {
    name: 'no-indexer',
    about: 'both indexers are killed',
    alerts: ['NoLeaseHolder', 'FeedAge'],
    cause: async (venue) => {
      await Promise.all(venue.parts.indexers.map((service) => service.kill()))
    },
    remedy: async (venue) => {
      for (const service of venue.parts.indexers) service.start()
    },
  },
]

/** Ends the traffic that a drill has left. */
export const endTraffic = (): void => traffic.stop()
