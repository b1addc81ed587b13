// Sends an HTTP request and returns the raw answer: no decoding, every header. For tests.
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

export type RawAnswer = Readonly<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>

export const rawFetch = (
  port: number,
  path: string,
  headers: OutgoingHttpHeaders = {},
  method = 'GET',
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, body: Buffer.concat(chunks) })
    })
    sent.on('error', reject).end()
  })
