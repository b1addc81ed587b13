import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { tradingSockets } from '@openvenue/api/test/trading-sockets'
import { Chance } from '@openvenue/core/test/scenario/chance'
import { turns } from '@openvenue/core/test/turns'
import { until } from '@openvenue/core/test/until'
import { Wires } from '../../test/lossy-socket.ts'
import { VenueSocket } from '../socket/venue-socket.ts'
import { followBook } from './follow-book.ts'
import type { OrderBook } from './order-book.ts'

const BLOCKS = 60
/** Turns of the event loop between two blocks, in which messages may arrive. */
const TURNS_MAX = 50
const LISTED_TICK = 200_000
const closings: (() => void | Promise<void>)[] = []
after(async () => {
  for (const close of closings.reverse()) await close()
})

type BookSnapshot = Readonly<{
  bids: readonly object[]
  asks: readonly object[]
  last_updated: string
}>

describe('a followed book', () => {
  for (const seed of [1, Math.floor(Math.random() * 2 ** 31)])
    test(`a followed book equals the venue's despite lost messages and dropped connections (seed ${seed})`, async () => {
      const chance = new Chance(seed)
      const scenario = funded('ETH-USDC')
      const venue = await tradingSockets(scenario)
      const wires = new Wires()
      const url = venue.urls[0] as string
      const socket = new VenueSocket({ url, WebSocket: wires.class, random: () => 0 })
      closings.push(venue.close, () => socket.close())
      const book = followBook(socket, 'ETH-USDC')
      let last = (await book.next()).value as OrderBook
      const reading = (async () => {
        for await (const newer of book) last = newer
      })().catch(() => {})
      wires.isLost = ({ seq }) => seq !== undefined && chance.happens(20)
      for (let block = 0; block < BLOCKS; block++) {
        const below = chance.below(50)
        scenario.place('bob', 'sell', LISTED_TICK + below, 10n)
        scenario.place('alice', 'buy', LISTED_TICK - 40 + chance.below(50), 7n).next()
        await venue.follow()
        if (chance.happens(10)) wires.cut()
        if (chance.happens(30)) await turns(chance.below(TURNS_MAX))
      }
      wires.isLost = () => false
      scenario.place('bob', 'sell', LISTED_TICK + 60, 10n).next()
      await venue.follow()
      const head = venue.models[0]?.head?.number
      await until(
        () => `the book is that of block ${head}: ${last.blockNumber}`,
        () => last.blockNumber === head,
      )
      const shown = (await venue.send('alice', 'GET /orderbook/ETH-USDC')).body as BookSnapshot
      assert.deepEqual([last.bids.length, last.asks.length], [shown.bids.length, shown.asks.length])
      assert.ok(last.bids.length + last.asks.length > 20)
      const client = await venue.connect('websocket')
      await client.ask('subscribe', ['orderbook:ETH-USDC'])
      const { data } = await client.next(({ channel }) => channel === 'orderbook:ETH-USDC')
      assert.deepEqual([last.bids, last.asks], [data.bids, data.asks])
      assert.equal(last.checksum(), data.checksum)
      socket.close()
      await reading
    })
})
