// Baseline of REST: a plain node:http server that sends prepared answers, head and body. Receives
// the answers as one message over IPC and replies with its port.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerCpuQuestions } from './cpu.ts'

/** Answer of a path. `headers` alternates names and values; `body` is base64. */
export type PlainAnswer = Readonly<{ path: string; headers: readonly string[]; body: string }>

answerCpuQuestions()

process.once('message', (answers: readonly PlainAnswer[]) => {
  const byPath = new Map(
    answers.map(({ path, headers, body }) => [
      path,
      { headers: [...headers], body: Buffer.from(body, 'base64') },
    ]),
  )
  const server = createServer((request, response) => {
    const answer = byPath.get(request.url ?? '')
    if (answer === undefined) {
      response.writeHead(404, ['content-length', '0'])
      response.end()
      return
    }
    response.writeHead(200, answer.headers)
    response.end(answer.body)
  })
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port })
  })
})
