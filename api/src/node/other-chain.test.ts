// Chain nodes that belong to another chain.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { refuseOtherChain } from './other-chain.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

/** Starts a node that gives each of `answers` in turn, and then repeats the last. */
async function nodeOf(...answers: readonly string[]): Promise<string> {
  let asked = 0
  const server = createServer((_, response) => {
    response.end(answers[Math.min(asked, answers.length - 1)])
    asked += 1
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const chainAnswer = (id: number) => `{"jsonrpc":"2.0","id":0,"result":"0x${id.toString(16)}"}`
const check = (...rpcUrls: readonly string[]) => refuseOtherChain({ rpcUrls, chainId: 5042 }, 5)

test('a node of another chain is refused with both numbers', async () => {
  await assert.rejects(check(await nodeOf(chainAnswer(5042002))), {
    name: 'ConfigInvalid',
    message:
      'RPC_URL is a node of another chain: got chain 5042002, expected 5042 (NETWORK or CHAIN_ID)',
  })
})

test('a node with a useless answer is asked again until it gives a valid one', async () => {
  const [page, refusal] = ['<html>', '{"jsonrpc":"2.0","id":0,"error":{"message":"no"}}']
  await check(await nodeOf(page, refusal, chainAnswer(5042)))
  await assert.rejects(check(await nodeOf(page, chainAnswer(1))), /got chain 1,/)
})

test('one of several nodes that reports another chain ends nothing', async () => {
  const away = 'http://127.0.0.1:1'
  await check(await nodeOf(chainAnswer(1)), away, await nodeOf(chainAnswer(5042)))
})
