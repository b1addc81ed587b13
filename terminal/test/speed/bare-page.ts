// Serves the baseline of a load: an empty page that opens the same socket and shows the first book.
// No page with a book of the venue can be faster.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ServedPage } from './watched-page.ts'

const HTML = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>bare</title>
<script type="module" src="./bare.js"></script></head><body>
<table><tbody class="asks"></tbody><tbody class="bids"></tbody></table></body></html>`

const scriptOf = (socketUrl: string, market: string) => `
const socket = new WebSocket(${JSON.stringify(socketUrl)})
const channel = ${JSON.stringify(`orderbook-100ms:${market}`)}
socket.onopen = () => socket.send(JSON.stringify({ op: 'subscribe', id: 1, data: [channel] }))
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data)
  if (message.channel !== channel) return
  socket.onmessage = null
  for (const side of ['bids', 'asks'])
    for (const [price, amount] of message.data[side].slice(0, 20)) {
      const row = document.querySelector('.' + side).insertRow()
      row.insertCell().textContent = price
      row.cells[0].className = 'price'
      row.insertCell().textContent = amount
    }
}`

/** Starts the server beside the API at `apiUrl`. */
export async function serveBarePage(apiUrl: string, market: string): Promise<ServedPage> {
  const script = scriptOf(`${apiUrl.replace(/^http/, 'ws')}/ws`, market)
  const server = createServer(({ url }, response) => {
    const isScript = url === '/bare.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : HTML)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}
