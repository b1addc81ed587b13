// Traders for the venue under test: funded devnet visitors with keys and a socket each, who sign
// resting bids and send them over persistent connections.
import { Agent, request } from 'node:http'
import { getCredentials } from '@openvenue/devnet/bots/credentials'
import { listenUntilFirst } from '@openvenue/devnet/bots/trader'
import { fundingTxs } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { TxSender } from '@openvenue/devnet/tx-sender'
import {
  type ApiKey,
  fromSteps,
  type Gap,
  Rest,
  type shapes,
  toSteps,
  VenueSocket,
} from 'openvenue'
import { loadVenue, type NewOrder, type SignedOrder, signOrder } from 'openvenue/signing'
import { formatUnits, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { OrdersVenue } from './orders-venue.ts'

const NAMES = ['ETH-USDC', 'ETH-PERP', 'BTC-USDC', 'BTC-PERP'] as const
/** Distance of the bids below the market in percent, and the number of their levels. */
const BELOW_PERCENT = 5n
const LEVELS = 200n
/** Value of an order in whole quote units, above every market's minimum. */
const VALUE = 20n
const E18 = 10n ** 18n

/** A signed order, ready to be sent. */
export type OrderBody = Readonly<{ trader: Trader; text: string }>
export type Trader = Readonly<{
  key: ApiKey
  socket: VenueSocket
  /** Signs a bid. */
  sign: (order: Omit<NewOrder, 'account'>) => Promise<SignedOrder>
}>
/** An order in a message of a channel. */
export type SeenOrder = Readonly<{ order_id: string; order_status: string }>
type TimedAnswer = Readonly<{ status: number; text: string; tookMs: number }>

type PricedMarket = shapes.Market & Readonly<{ price: bigint }>

export type Traders = Readonly<{
  sign: (count: number) => Promise<readonly OrderBody[]>
  place: (body: OrderBody) => Promise<TimedAnswer>
  cancel: (trader: Trader, id: string) => Promise<TimedAnswer>
  gaps: () => number
  close: () => void
}>

/** Opens the traders; `onOrder` is called with the orders of their channels. */
export async function openTraders(
  venue: OrdersVenue,
  onOrder: (order: SeenOrder) => void,
): Promise<Traders> {
  const traders: Trader[] = []
  const gaps: Gap[] = []
  for (const index of ROLES.visitors)
    traders.push(await openTrader(venue, index, { onOrder, onGap: (gap) => gaps.push(gap) }))
  const markets = await readMarkets(venue.apiUrl)
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(venue.apiUrl)
  const send = (method: string, path: string, { key }: Trader, text = '') =>
    ask({ method, path, agent, hostname, port, headers: headersOf(key, text) }, text)
  let made = 0
  return {
    sign: async (count) => {
      const bodies: OrderBody[] = []
      for (let at = 0; at < count; at++) {
        const trader = traders[made % traders.length] as Trader
        const market = markets[Math.floor(made / traders.length) % markets.length] as PricedMarket
        bodies.push({ trader, text: await signBid(trader, market, made++) })
      }
      return bodies
    },
    place: ({ trader, text }) => send('POST', '/orders', trader, text),
    cancel: (trader, id) => send('DELETE', `/orders/${id}`, trader),
    gaps: () => gaps.length,
    close: () => {
      for (const { socket } of traders) socket.close()
      agent.destroy()
    },
  }
}

async function openTrader(
  { spoken, apiUrl }: OrdersVenue,
  index: number,
  hear: Readonly<{ onOrder: (order: SeenOrder) => void; onGap: (gap: Gap) => void }>,
): Promise<Trader> {
  const { deployment, rpcUrl, dataDir } = spoken
  const rpc = rpcAt(rpcUrl)
  const sender = new TxSender(rpc)
  const wallet = ((await rpc.call('eth_accounts')) as string[])[index] ?? ''
  await sender.send(fundingTxs(deployment, wallet))
  const { account, apiKey: key, signingKey } = await getCredentials({ apiUrl, dataDir }, index)
  const signing = await loadVenue(new Rest({ url: apiUrl }))
  const signer = privateKeyToAccount(signingKey)
  const socket = new VenueSocket({ url: apiUrl, apiKey: key, onGap: hear.onGap })
  await listenUntilFirst(socket, ['orders'], ({ type, data }) => {
    if (type === 'update')
      for (const order of (data as { orders: readonly SeenOrder[] }).orders) hear.onOrder(order)
  })
  return { key, socket, sign: (order) => signOrder(signing, signer, { account, ...order }) }
}

/** A spot market takes the price of its asset's perpetual, since it has no trades yet. */
async function readMarkets(apiUrl: string): Promise<readonly PricedMarket[]> {
  const rest = new Rest({ url: apiUrl })
  const read = (instrument_name: string) =>
    rest.call('GET /instrument/{instrument_name}', { path: { instrument_name } })
  return Promise.all(
    NAMES.map(async (name) => {
      const facts = await read(name)
      const perpetual = name.replace('-USDC', '-PERP')
      const { index_price: price } = await read(perpetual)
      return { ...facts, price: parseUnits(price ?? '0', 18) }
    }),
  )
}

async function signBid({ sign }: Trader, market: PricedMarket, made: number): Promise<string> {
  const { price, price_step, amount_step } = market
  const highest = formatUnits((price * (100n - BELOW_PERCENT)) / 100n, 18)
  const steps = toSteps(highest, price_step, 'down') - (BigInt(made) % LEVELS)
  const amount = formatUnits((VALUE * E18 * E18) / price, 18)
  const body = await sign({
    market: market.instrument_name,
    side: 'buy',
    price: fromSteps(steps, price_step),
    amount: fromSteps(toSteps(amount, amount_step, 'down') + 1n, amount_step),
    postOnly: true,
    clientOrderId: `bench-${made}`,
  })
  return JSON.stringify(body)
}

const headersOf = ({ key, secret }: ApiKey, text: string) => ({
  'api-key': key,
  'api-secret': secret,
  ...(text === ''
    ? {}
    : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
})

function ask(options: Parameters<typeof request>[1], text: string): Promise<TimedAnswer> {
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(options as never, (answer: import('node:http').IncomingMessage) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        body += chunk
      })
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          text: body,
          tookMs: performance.now() - startedMs,
        }),
      )
    })
    sent.on('error', reject).end(text === '' ? undefined : text)
  })
}
