// The published package in a browser: in a page and in a Worker, as it is, without a bundler.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Chromium, startChromium } from '@openvenue/api/test/chromium'
import { funded } from '@openvenue/api/test/funded'
import { type TradingSockets, tradingSockets } from '@openvenue/api/test/trading-sockets'
import { buildPackage } from '../scripts/build.ts'

const { CHROMIUM } = process.env
const PATIENCE_MS = 30_000
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

/** Reads the market and a checked book, and hands over what it has read. */
const program = (url: string, done: string) => `
  import { followBook, Rest, toOrderPrice, VenueSocket } from './index.js'
  const rest = new Rest({ url: '${url}' })
  const [market] = await rest.call('GET /markets')
  const socket = new VenueSocket({ url: '${url}' })
  for await (const { bids } of followBook(socket, market.instrument_name)) {
    ${done}([market.instrument_name, bids[0][0], String(toOrderPrice(market, 'buy', '2000.009'))])
    break
  }
  socket.close()
`

describe('the package in Chromium', { skip: CHROMIUM === undefined }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-browser-'))
  let venue: TradingSockets
  let site: Server
  let chromium: Chromium
  before(async () => {
    await buildPackage(folder)
    venue = await tradingSockets(funded('ETH-USDC').place('alice', 'buy', 200_000, 10n).next())
    const url = venue.urls[0] ?? ''
    writeFileSync(join(folder, 'page.js'), program(url, 'window.read = '))
    writeFileSync(join(folder, 'worker.js'), program(url, 'postMessage'))
    writeFileSync(join(folder, 'page.html'), '<script type="module" src="page.js"></script>')
    const start = `new Worker('worker.js', { type: 'module' }).onmessage = ({ data }) => { window.read = data }`
    writeFileSync(join(folder, 'worker.html'), `<script>${start}</script>`)
    site = createServer(({ url: path = '' }, response) => {
      const file = join(folder, path)
      response.statusCode = existsSync(file) ? 200 : 404
      response.setHeader('content-type', TYPES[extname(path)] ?? 'text/plain')
      response.end(existsSync(file) ? readFileSync(file) : undefined)
    }).listen(0, '127.0.0.1')
    await once(site, 'listening')
    chromium = await startChromium(CHROMIUM ?? '')
  })
  after(async () => {
    await chromium?.close()
    site?.close()
    await venue?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const where of ['page', 'worker'])
    test(`the package reads a market and follows its book in a ${where}`, async () => {
      const { port } = site.address() as AddressInfo
      const page = await chromium.open(`http://127.0.0.1:${port}/${where}.html`)
      await page.until('window.read !== undefined', PATIENCE_MS)
      const read = JSON.parse(String(await page.evaluate('JSON.stringify(window.read)')))
      assert.deepEqual(read, ['ETH-USDC', '2000', '2000000000'])
    })
})
