// Trades at the venue under test: visitors of the devnet with money, keys and a socket each, who
// sign bids that rest and send them over connections that stay.
import { Agent, request } from 'node:http'
import { getCredentials } from '@openvenue/devnet/bots/credentials'
import { type MarketFacts, Signer } from '@openvenue/devnet/bots/signer'
import { type ApiKey, VenueClient } from '@openvenue/devnet/bots/venue-client'
import { type Frame, VenueSocket } from '@openvenue/devnet/bots/venue-socket'
import { fundingTxs } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { TxSender } from '@openvenue/devnet/tx-sender'
import { parseUnits } from 'viem'
import type { OrdersVenue } from './orders-venue.ts'

const NAMES = ['ETH-USDC', 'ETH-PERP', 'BTC-USDC', 'BTC-PERP'] as const
/** Bids rest this far below the market, in hundredths, each on one of so many levels. */
const BELOW_PERCENT = 5n
const LEVELS = 200n
/** Quote of an order, in whole units: above every market's least. */
const VALUE = 20n
const E18 = 10n ** 18n

/** A signed order, ready to be sent. */
export type OrderBody = Readonly<{ trader: Trader; text: string }>
export type Trader = Readonly<{ key: ApiKey; signer: Signer; socket: VenueSocket }>
/** What a channel says of an order. */
export type SeenOrder = Readonly<{ order_id: string; order_status: string }>
export type Answer = Readonly<{ status: number; text: string; tookMs: number }>

type Market = MarketFacts & Readonly<{ price: bigint }>

export type Traders = Readonly<{
  sign: (count: number) => Promise<readonly OrderBody[]>
  place: (body: OrderBody) => Promise<Answer>
  cancel: (trader: Trader, id: string) => Promise<Answer>
  gaps: () => number
  close: () => void
}>

/** Opens the traders; `onOrder` hears what their channels say. */
export async function openTraders(
  venue: OrdersVenue,
  onOrder: (order: SeenOrder) => void,
): Promise<Traders> {
  const traders: Trader[] = []
  for (const index of ROLES.visitors) traders.push(await openTrader(venue, index, onOrder))
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
        const market = markets[Math.floor(made / traders.length) % markets.length] as Market
        bodies.push({ trader, text: await signBid(trader, market, made++) })
      }
      return bodies
    },
    place: ({ trader, text }) => send('POST', '/orders', trader, text),
    cancel: (trader, id) => send('DELETE', `/orders/${id}`, trader),
    gaps: () => traders.reduce((sum, { socket }) => sum + socket.gaps, 0),
    close: () => {
      for (const { socket } of traders) socket.close()
      agent.destroy()
    },
  }
}

async function openTrader(
  { spoken, apiUrl }: OrdersVenue,
  index: number,
  onOrder: (order: SeenOrder) => void,
): Promise<Trader> {
  const { deployment, rpcUrl, dataDir } = spoken
  const rpc = rpcAt(rpcUrl)
  const sender = new TxSender(rpc)
  const wallet = ((await rpc.call('eth_accounts')) as string[])[index] ?? ''
  await sender.send(fundingTxs(deployment, wallet))
  const { chainId, accounts: accountsContract } = deployment
  const registry = { apiUrl, dataDir, chainId, domainName: 'openvenue', accountsContract, sender }
  const { account, apiKey: key, signingKey } = await getCredentials(registry, index)
  const socket = await VenueSocket.open(apiUrl, ({ channel, type, data }: Frame) => {
    if (channel !== 'orders' || type !== 'update') return
    for (const order of (data as { orders: readonly SeenOrder[] }).orders) onOrder(order)
  })
  await socket.authenticate(key)
  await socket.ask('subscribe', ['orders'])
  const signer = await Signer.open(new VenueClient(apiUrl, key), account, signingKey)
  return { key, signer, socket }
}

/** A spot market's price is that of its asset's perpetual: nobody has traded yet. */
async function readMarkets(apiUrl: string): Promise<readonly Market[]> {
  const client = new VenueClient(apiUrl)
  const read = <T>(name: string) => client.ask<T>('GET', `/instrument/${name}`)
  return Promise.all(
    NAMES.map(async (name) => {
      const facts = await read<MarketFacts>(name)
      const perpetual = name.replace('-USDC', '-PERP')
      const { index_price: price } = await read<{ index_price: string | null }>(perpetual)
      return { ...facts, price: parseUnits(price ?? '0', 18) }
    }),
  )
}

async function signBid({ signer }: Trader, market: Market, made: number): Promise<string> {
  const { price, price_step, amount_step, quote_decimals, base_decimals } = market
  const priceStep = parseUnits(price_step, quote_decimals)
  const amountStep = parseUnits(amount_step, base_decimals)
  const highest = (price * (100n - BELOW_PERCENT) * 10n ** BigInt(quote_decimals)) / (100n * E18)
  const limitPrice = (highest / priceStep - (BigInt(made) % LEVELS)) * priceStep
  const amount = (VALUE * E18 * 10n ** BigInt(base_decimals)) / price
  const body = await signer.orderBody({
    market,
    isBuy: true,
    limitPrice,
    amount: (amount / amountStep + 1n) * amountStep,
    kind: 'post-only',
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

function ask(options: Parameters<typeof request>[1], text: string): Promise<Answer> {
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
