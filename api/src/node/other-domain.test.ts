// Contracts that verify signatures in a domain other than the clients'.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { encodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { domainSeparator } from '../orders/rules/signed-order.ts'
import { refuseOtherDomain } from './other-domain.ts'

const CONTRACTS = {
  accounts: `0x${'a1'.repeat(20)}`,
  spot: `0x${'b2'.repeat(20)}`,
  perps: `0x${'c3'.repeat(20)}`,
} as const
const OURS = { domainName: 'openvenue-testnet', chainId: 5042002 } as const
const SEPARATOR = toFunctionSelector('domainSeparator()')
const RETRY_MS = 5

type Domain = Readonly<{ domainName: string; chainId: number }>
type Call = Readonly<{ id: number; params: readonly [Readonly<{ to: string; data: string }>] }>
/** A node's answer about a contract; undefined: the contract is missing. */
type DomainReply = (contract: string, asked: number) => Domain | undefined

const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

async function serve(says: DomainReply): Promise<string> {
  let asked = 0
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    const { id, params } = JSON.parse(body) as Call
    const [{ to, data }] = params
    const domain = says(to, asked++)
    const result = domain === undefined ? '0x' : answer(to, data, domain)
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function answer(contract: string, data: string, domain: Domain): Hex {
  if (data === SEPARATOR) return `0x${domainSeparator(domain, contract)}`
  const types = ['bytes1', 'string', 'string', 'uint256', 'address', 'bytes32', 'uint256[]']
  return encodeAbiParameters(
    types.map((type) => ({ type })),
    ['0x0f', domain.domainName, '1', BigInt(domain.chainId), contract, `0x${'0'.repeat(64)}`, []],
  )
}

const check = (...rpcUrls: readonly string[]) =>
  refuseOtherDomain({ ...OURS, rpcUrls, contracts: CONTRACTS }, RETRY_MS)

describe('the signature domain of contracts', () => {
  test('the signature domain of contracts is accepted when it is the one that clients sign in', async () => {
    await check(await serve(() => OURS))
  })

  for (const [name, contract] of Object.entries(CONTRACTS))
    test(`the signature domain of ${name} is refused when it has another name, with both`, async () => {
      const other = { ...OURS, domainName: 'openvenue' }
      const url = await serve((to) => (to === contract ? other : OURS))
      await assert.rejects(check(url), (error: Error) => {
        assert.equal(error.name, 'ConfigInvalid')
        assert.match(
          error.message,
          new RegExp(`^Typed-data domain of ${name} at ${contract} differs: `),
        )
        assert.match(error.message, /got "openvenue" version 1 of chain 5042002 at 0x/)
        assert.match(error.message, /expected "openvenue-testnet" version 1 of chain 50/)
        assert.match(error.message, /set TYPED_DATA_DOMAIN/)
        return true
      })
    })

  test('the signature domain of contracts is refused when it is of another chain', async () => {
    const url = await serve(() => ({ ...OURS, chainId: 5042 }))
    await assert.rejects(check(url), /version 1 of chain 5042 at 0x/)
  })

  test('the signature domain of contracts is read again while a node lacks the contracts', async () => {
    await check(await serve((_, asked) => (asked < 5 ? undefined : OURS)))
    const late = await serve((_, asked) =>
      asked < 5 ? undefined : { ...OURS, domainName: 'other' },
    )
    await assert.rejects(check(late), /"other"/)
  })

  test('the domain of contracts is the one that any of several nodes reports: a wrong one ends nothing', async () => {
    const liar = await serve(() => ({ ...OURS, domainName: 'liar' }))
    await check(liar, 'http://127.0.0.1:1', await serve(() => OURS))
  })

  test('the signature domain of contracts is not read when no contract is known', async () => {
    await refuseOtherDomain({ ...OURS, rpcUrls: ['http://127.0.0.1:1'], contracts: {} })
  })
})
