// Serves the prices that the keepers of a run push.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RandomWalk } from '@openvenue/devnet/random-walk'
import { formatUnits } from 'viem'

const DECIMALS = 18

export class PriceServer {
  readonly url: string
  readonly #server: Server
  readonly #state: { isRefusing: boolean }

  private constructor(server: Server, state: { isRefusing: boolean }) {
    this.#server = server
    this.#state = state
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Serves the prices of `randomWalk` by the wall clock. */
  static async open(randomWalk: RandomWalk): Promise<PriceServer> {
    const state = { isRefusing: false }
    const server = createServer((_request, response) => {
      if (state.isRefusing) {
        response.writeHead(503).end()
        return
      }
      const prices = randomWalk.moveTo(Math.floor(Date.now() / 1000))
      const texts = [...prices].map(([asset, price]) => [asset, formatUnits(price, DECIMALS)])
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Object.fromEntries(texts)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new PriceServer(server, state)
  }

  /** Makes it refuse, or serve its prices again. */
  refuse(isRefusing: boolean): void {
    this.#state.isRefusing = isRefusing
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
