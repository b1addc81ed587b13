// Runs all users of the venue during a drill.
import { setTimeout as sleep } from 'node:timers/promises'
import { registerWallet } from '@openvenue/devnet/registration'
import { ROLES } from '@openvenue/devnet/roles'
import { until } from '../servers/until.ts'
import { BlockTimes } from '../venue/block-times.ts'
import type { Venue } from '../venue/venue.ts'
import { Channel, type ChannelFrame, type Fold } from './channel.ts'
import { Book, Rows } from './folds.ts'
import { ReadinessPoller } from './readiness-poller.ts'
import { RestUser } from './rest-user.ts'
import { SocketUser } from './socket-user.ts'
import type { Transport } from './transport.ts'

export const MARKET = 'ETH-PERP'
/** Its index price is pushed with every price of a keeper, once a second. */
const ASSET = 'ETH'
const NOTHING: Fold = { snapshot: () => {}, update: () => {}, undo: () => {} }
const HOUR_SECONDS = 3600
const ROWS_MAX = 1_000
const RETRY_MS = 300
const STARTED_MS_MAX = 60_000

const PUBLIC_PATHS = [
  `/orderbook/${MARKET}`,
  `/markets/${MARKET}/trades?limit=20`,
  `/statistics?instrument_name=${MARKET}`,
  `/funding/${MARKET}`,
]
const PRIVATE_PATHS = ['/account', '/trade-history?limit=10', '/open-orders']

/** A socket and its state. */
export type Follower = Readonly<{ user: SocketUser; book: Book; trades: Rows; fills: Rows }>

type Identity = Readonly<{ key: string; secret: string; headers: Readonly<Record<string, string>> }>

export class Users {
  readonly blocks: BlockTimes
  readonly rest: readonly RestUser[]
  readonly pollers: readonly ReadinessPoller[]
  readonly followers: readonly Follower[]
  /** Number of the account whose fills are followed. */
  readonly account: number
  readonly identity: Identity

  private constructor(venue: Venue, identity: Identity, account: number) {
    const urls = venue.parts.apis.map(({ url }) => url)
    this.identity = identity
    this.account = account
    this.blocks = new BlockTimes(venue.parts.chain.rpc)
    this.rest = urls.map((apiUrl) => {
      const paths = { publicPaths: PUBLIC_PATHS, privatePaths: PRIVATE_PATHS }
      return new RestUser({ apiUrl, ...paths, headers: identity.headers })
    })
    this.pollers = urls.map((url) => new ReadinessPoller(url))
    this.followers = [
      createFollower('plain', urls, identity),
      createFollower('socket.io', urls.toReversed(), identity),
    ]
  }

  /** Connects all users; the account is that of a trader. */
  static async start(venue: Venue): Promise<Users> {
    const [api] = venue.parts.apis
    const registered = await registerWallet({
      apiUrl: api?.url ?? '',
      index: ROLES.traders[0],
      expirySeconds: Math.floor(Date.now() / 1000) + 24 * HOUR_SECONDS,
    })
    const { key, secret } = registered.apiKey
    const headers = { 'api-key': key, 'api-secret': secret }
    const account = await venue.accountOf(registered.account)
    const users = new Users(venue, { key, secret, headers }, account)
    const hasStarted = () =>
      users.followers.every(({ trades, fills }) => trades.isBegun && fills.isBegun)
    await until('every socket has its first snapshots', hasStarted, STARTED_MS_MAX)
    return users
  }

  async stop(): Promise<void> {
    const all = [...this.rest, ...this.pollers, ...this.followers.map(({ user }) => user)]
    await Promise.all([...all.map((user) => user.stop()), this.blocks.stop()])
  }
}

function createFollower(
  transport: Transport,
  apiUrls: readonly string[],
  identity: Identity,
): Follower {
  const { key, secret, headers } = identity
  const book = new Book()
  const trades = new Rows({
    inSnapshot: ({ data }: ChannelFrame) => (data === null ? [] : [data.trade_id]),
    inUpdate: ({ data }: ChannelFrame) => data.trade_id,
    fillIn: async () =>
      tradeIds(await readWithRetries(apiUrls, `/markets/${MARKET}/trades?limit=${ROWS_MAX}`)),
  })
  const fills = new Rows({
    inSnapshot: ({ data }: ChannelFrame) => tradeIds(data.fills),
    inUpdate: ({ data }: ChannelFrame) => data.fill.trade_id,
    fillIn: async () => {
      const page = await readWithRetries(apiUrls, `/trade-history?limit=${ROWS_MAX}`, headers)
      return tradeIds((page as { trade_history: unknown }).trade_history)
    },
  })
  const user = new SocketUser({
    transport,
    apiUrls,
    key,
    secret,
    publicChannels: [
      new Channel(`index:${ASSET}`, NOTHING),
      new Channel(`orderbook:${MARKET}`, book),
      new Channel(`trades:${MARKET}`, trades),
    ],
    privateChannels: [new Channel('fills', fills)],
  })
  return { user, book, trades, fills }
}

const tradeIds = (rows: unknown) => (rows as { trade_id: string }[]).map(({ trade_id }) => trade_id)

/** Returns the body of the first answer with 200 of any node. */
async function readWithRetries(
  apiUrls: readonly string[],
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  for (let tried = 0; ; tried++) {
    const url = new URL(path, apiUrls[tried % apiUrls.length])
    const response = await fetch(url, { headers }).catch(() => undefined)
    if (response?.status === 200) return response.json()
    await sleep(RETRY_MS, undefined, { ref: false })
  }
}
