// Causes each alert on a venue, with its remedy from the runbook; the slowest alerts come first.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { ROLES } from '@openvenue/devnet/roles'
import { Rest } from 'openvenue'
import { loadVenue, register, signOrder } from 'openvenue/signing'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'
import { until } from '../servers/until.ts'
import type { Venue } from '../venue/venue.ts'

const ETHER = 10n ** 18n
/** Far below any price, so that it rests. */
const LOW = '100'

const walletOf = (addressIndex: number) => mnemonicToAccount(MNEMONIC, { addressIndex })

/** Prepares a resting order of a trader; returns the function that places it. */
async function prepareOrder({ parts }: Venue): Promise<() => Promise<void>> {
  const [api] = parts.apis
  const open = new Rest({ url: api?.url ?? '', patience: { retries: 5, waitMsMax: 10_000 } })
  const signing = await loadVenue(open)
  const wallet = walletOf(ROLES.traders[0])
  const key = privateKeyToAccount(generatePrivateKey())
  const rest = open.withKey(await register(open, signing, { wallet, key }))
  const order = { market: 'ETH-PERP', side: 'buy', amount: '0.1', price: LOW } as const
  const body = await signOrder(signing, key, { ...order, account: wallet.address })
  return async () => void (await rest.call('POST /orders', { body }))
}

/** Sets the coin balance of the keeper's and the relayer's wallets. */
async function setFunds({ parts }: Venue, milliCoins: bigint): Promise<void> {
  for (const index of [ROLES.keeper, ...ROLES.relayers]) {
    const wei = (milliCoins * ETHER) / 1_000n
    await parts.chain.rpc.call('anvil_setBalance', walletOf(index).address, `0x${wei.toString(16)}`)
  }
}

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
const REQUEST_INTERVAL_MS = 200
const LEFT_MILLICOINS = 20n
const FULL_MILLICOINS = 10_000_000n
const KEEPERS = ['keeper-1', 'keeper-2']
const ENDED_MS_MAX = 30_000

/** A query on the replica that blocks replay, since it still needs its rows. */
const HELD_QUERY = 'SELECT pg_sleep(3600), count(*) FROM feed'
const HOLDING = `pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(3600)%'
  AND pid <> pg_backend_pid()`

/** Sends requests to the API nodes until stopped, and ignores the responses. */
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
      await sleep(REQUEST_INTERVAL_MS)
    }
  }
}

const traffic = new Traffic()
const listApiUrls = ({ parts }: Venue) => parts.apis.map(({ url }) => url)
const services = (venue: Venue, names: readonly string[]) =>
  venue.services.filter(({ name }) => names.includes(name))

/** Runbook: compare the hash of the newest block with the chain. */
async function awaitCanonicalBranch({ parts }: Venue): Promise<void> {
  const agrees = async () => {
    const text = `SELECT number || ' ' || hash FROM checkpoint`
    const [number, hash] = (await parts.database.query(text, 'venue')).split(' ')
    const at = `0x${Number(number).toString(16)}`
    const block = await parts.chain.rpc.call('eth_getBlockByNumber', at, false)
    return (block as Readonly<{ hash: string }> | null)?.hash === hash
  }
  await until('the indexer is on the branch of the chain', agrees, ENDED_MS_MAX)
}

/** Runbook: no action is needed. The flooded node still serves other clients. */
async function checkOtherClients(venue: Venue): Promise<void> {
  const url = listApiUrls(venue)[0] ?? ''
  const answer = await fetch(`${url}/orderbook/ETH-PERP`)
  if (!answer.ok) throw new Error(`a flooded node responded with ${answer.status}, expected 200`)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  const signal = AbortSignal.timeout(ENDED_MS_MAX)
  await new Promise<void>((resolve, reject) => {
    signal.onabort = () => reject(new Error('a flooded node accepts no socket'))
    socket.onerror = () => reject(new Error('a flooded node accepts no socket'))
    socket.onopen = () => resolve()
  })
  socket.close()
}

/** How to cause alerts, and the remedy in the runbook. */
export type AlertDrill = Readonly<{
  name: string
  /** One line for the table. */
  about: string
  /** All of them must fire. */
  alerts: readonly string[]
  /** Log line in the runbook, of the processes whose names start with `service`. */
  log?: Readonly<{ service: string; pattern: RegExp }>
  /** Its alerts look back in time, so the next drill starts before they end. */
  isSlowToEnd?: true
  cause(venue: Venue): Promise<void>
  /** The steps under "Do" in the runbook. */
  remedy(venue: Venue): Promise<void>
}>

export const ALERT_DRILLS: readonly AlertDrill[] = [
  {
    name: 'deep-reorganisation',
    about: `the newest ${DEPTH} blocks are replaced`,
    alerts: ['DeepReorganisation'],
    log: { service: 'indexer', pattern: /blocks undone/ },
    isSlowToEnd: true,
    cause: ({ parts }) => parts.chain.reorganise(DEPTH),
    remedy: awaitCanonicalBranch,
  },
  {
    name: 'flood',
    about: 'thirty clients exceed the message limit of a socket',
    alerts: ['SocketsDropped'],
    isSlowToEnd: true,
    cause: async (venue) => void (await flood(listApiUrls(venue)[0] ?? '')),
    remedy: checkOtherClients,
  },
  {
    name: 'frozen-node',
    about: 'the nodes of the chain stop responding',
    alerts: ['HeadLag', 'FeedAge', 'OracleAge'],
    log: { service: 'indexer', pattern: /failed, trying again/ },
    cause: async ({ parts }) => parts.links.fail({ to: 'node' }, { mode: 'freeze' }),
    remedy: async ({ parts }) => parts.links.restore(),
  },
  {
    name: 'lost-database',
    about: 'the API nodes, under five requests a second, cannot reach PostgreSQL',
    alerts: ['FeedAge', 'ServerErrors'],
    isSlowToEnd: true,
    cause: async (venue) => {
      traffic.start(listApiUrls(venue))
      venue.parts.links.fail({ to: 'database', from: 'api' }, { mode: 'cut' })
    },
    remedy: async ({ parts }) => parts.links.restore(),
  },
  {
    name: 'lost-redis',
    about: 'the API nodes cannot reach Redis',
    alerts: ['RedisFallback'],
    log: { service: 'api', pattern: /Redis does not answer/ },
    cause: async ({ parts }) => parts.links.fail({ to: 'redis' }, { mode: 'cut' }),
    remedy: async ({ parts }) => parts.links.restore(),
  },
  {
    name: 'blocked-replica',
    about: 'a query on the replica blocks its replay',
    alerts: ['ReplicaLag'],
    cause: async ({ parts }) => {
      const { database, replica } = parts
      await replica.query('ALTER SYSTEM SET max_standby_streaming_delay = -1')
      await replica.query('SELECT pg_reload_conf()')
      replica.query(HELD_QUERY, 'venue').catch(() => {})
      const isHeld = async () => (await replica.query(`SELECT count(*) FROM ${HOLDING}`)) === '1'
      await until('the query blocks replay', isHeld, ENDED_MS_MAX)
      // Locks the whole table for a moment, like an upgrade.
      await database.query('ALTER TABLE feed SET (fillfactor = 100)', 'venue')
    },
    remedy: async ({ parts }) => {
      await parts.replica.query(`SELECT pg_terminate_backend(pid) FROM ${HOLDING}`)
    },
  },
  {
    name: 'lost-replica',
    about: 'the replica is unreachable',
    alerts: ['ReplicaLag'],
    cause: async ({ parts }) => parts.links.fail({ to: 'replica' }, { mode: 'cut' }),
    remedy: async ({ parts }) => parts.links.restore(),
  },
  {
    name: 'stopped-replica',
    about: 'the replica, the only standby, has stopped',
    alerts: ['StandbyLost', 'ReplicaLag'],
    cause: async ({ parts }) => parts.replica.stop(),
    remedy: async ({ parts }) => parts.replica.start(),
  },
  {
    name: 'poor-wallets',
    about: 'the wallets of the keeper and the relayer are almost empty',
    alerts: ['FundsLow'],
    cause: (venue) => setFunds(venue, LEFT_MILLICOINS),
    remedy: (venue) => setFunds(venue, FULL_MILLICOINS),
  },
  {
    name: 'forgetful-node',
    about: 'the nodes of the keepers accept and drop transactions; an order is accepted',
    alerts: ['NonceStuck', 'RelayQueueAge', 'OracleAge'],
    log: { service: 'keeper', pattern: /dropped or undone: sent again|stuck: sent again/ },
    cause: async (venue) => {
      const send = await prepareOrder(venue)
      venue.parts.links.setFault({ kind: 'forgets' }, { from: 'keeper' })
      await send()
    },
    remedy: async ({ parts }) => parts.links.setFault({ kind: 'honest' }, { from: 'keeper' }),
  },
  {
    name: 'no-prices',
    about: 'the price source responds with errors',
    alerts: ['OracleAge'],
    log: { service: 'keeper', pattern: /a task failed, trying again/ },
    cause: async ({ parts }) => parts.prices.refuse(true),
    remedy: async ({ parts }) => parts.prices.refuse(false),
  },
  {
    name: 'no-keeper',
    about: 'both keepers, which also relay, are killed',
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
