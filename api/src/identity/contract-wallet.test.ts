// Wallets that are contracts, on a real chain: deployed ones (EIP-1271), and those that are not yet
// (EIP-6492).
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '@openvenue/core/test/until'
import { concatHex, getCreate2Address, type Hex, serializeErc6492Signature } from 'viem'
import {
  hashData,
  type KeyNode,
  keyNode,
  makeTypedData,
  newWallet,
  type Reply,
  registrationBody,
} from '../../test/key-node.ts'
import type { EthCall } from './eth-call.ts'
import { createEthCall } from './eth-call.ts'
import { WALLET_CALLS_MAX, WALLET_GAS_MAX } from './wallet-calls.ts'

const ANVIL = fileURLToPath(new URL('../../../node_modules/.bin/anvil', import.meta.url))
/** Deploys by CREATE2 what follows a salt of 32 bytes; every development chain has it. */
const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT: Hex = `0x${'00'.repeat(32)}`

/**
 * Initialisation code of a wallet whose EIP-1271 signatures are the ECDSA signatures of `owner`.
 */
function walletCode(owner: Hex): Hex {
  const recover =
    '600435 5f52 60a435 5f1a 602052 606435 604052 608435 606052 6020608060805f60015afa50'
  const magicOrZero = `631626ba7e 60e01b 73${owner.slice(2).toLowerCase()} 608051 14 02 5f52 60205ff3`
  const runtime = `${recover}${magicOrZero}`.replaceAll(' ', '')
  const length = (runtime.length / 2).toString(16)
  return `0x60${length}8060095f395ff3${runtime}`
}

describe('a contract wallet', () => {
  let node: KeyNode
  let anvil: ChildProcess
  let url: string
  before(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    anvil = spawn(ANVIL, ['--port', `${port}`, '--silent'], { stdio: 'ignore' })
    await until('anvil answers', () =>
      rpc('eth_chainId').then(
        () => true,
        () => false,
      ),
    )
    node = await keyNode({ call: createEthCall([url]) })
  })
  after(async () => {
    await node.close()
    await stop(anvil)
  })

  async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body })
    return ((await answer.json()) as { result?: unknown }).result
  }

  const owner = newWallet()
  const code = walletCode(owner.address)
  const deployment = concatHex([SALT, code])
  const account = getCreate2Address({ from: FACTORY, salt: SALT, bytecode: code })

  /** Registers the wallet with a signature by `signer`, as `form` makes it. */
  async function register(form: (signature: Hex) => Hex, signer = owner): Promise<Reply> {
    const signingKey = newWallet()
    const { register: data } = makeTypedData({ account, signingKey })
    const account_signature = form(await signer.sign({ hash: hashData(data) }))
    const body = await registrationBody({ account, signingKey, members: { account_signature } })
    return node.send({ method: 'POST', url: '/register', body })
  }
  const plain = (signature: Hex) => signature
  const wrappedFor = (data: Hex) => (signature: Hex) =>
    serializeErc6492Signature({ address: FACTORY, data, signature })
  const wrapped = wrappedFor(deployment)

  test('a contract wallet that is not deployed registers with a signature that includes its deployment', async () => {
    assert.equal(await rpc('eth_getCode', account, 'latest'), '0x')
    const { status, body } = await register(wrapped)
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(body.account, account.toLowerCase())
    assert.equal(await rpc('eth_getCode', account, 'latest'), '0x', 'nothing was deployed')
  })

  test('a contract wallet that is not deployed is 401 with a bare signature, naming its signer', async () => {
    const { status, body } = await register(plain)
    assert.deepEqual([status, body.error], [401, 'INVALID_SIGNATURE'])
    assert.equal(body.details[0].recovered, owner.address.toLowerCase())
  })

  test('a contract wallet that is not deployed is 401 with the signature of another', async () => {
    assert.equal((await register(wrapped, newWallet())).status, 401)
  })

  test('a contract wallet is 401 where the deployment reverts or makes another wallet', async () => {
    const other = concatHex([SALT, walletCode(newWallet().address)])
    for (const data of ['0x', '0xfe', other, concatHex([SALT, '0xfe'])] as const)
      assert.equal((await register(wrappedFor(data))).status, 401, data)
  })

  test('a contract wallet that is deployed registers with its own signature, wrapped or not', async () => {
    const [from] = (await rpc('eth_accounts')) as string[]
    await rpc('eth_sendTransaction', { from, to: FACTORY, data: deployment })
    await until(
      'the wallet is there',
      async () => (await rpc('eth_getCode', account, 'latest')) !== '0x',
    )
    assert.equal((await register(plain)).status, 201)
    assert.equal((await register(wrapped)).status, 201)
    assert.equal((await register(plain, newWallet())).status, 401)
    assert.equal((await register(() => '0x1234')).status, 401)
  })

  test('a contract wallet does not let a plain wallet in: a signature by another is 401', async () => {
    const wallet = newWallet()
    const { status } = await node.register({ wallet, account: newWallet().address })
    assert.equal(status, 401)
  })

  describe('with delegated code (EIP-7702)', () => {
    /** Delegates the code of a new wallet to `code`, and counts how often the chain is asked. */
    async function delegated(code: string) {
      const wallet = newWallet()
      const delegate = newWallet().address
      await rpc('anvil_setCode', delegate, code)
      await rpc('anvil_setCode', wallet.address, `0xef0100${delegate.slice(2).toLowerCase()}`)
      const asked: unknown[] = []
      const call: EthCall = (...args) => {
        asked.push(args)
        return createEthCall([url])(...args)
      }
      const at = await keyNode({ call }, node.store)
      return { wallet, asked, at }
    }
    const runtime = `0x${code.slice(2 + 2 * 9)}`
    for (const [what, code, isTaken] of [
      ['that knows no EIP-1271', '0x00', false],
      ['that reverts', '0x5f5ffd', false],
      ['that takes signatures of another key', runtime, true],
    ] as const)
      test(`a wallet with delegated code ${what} registers by its own key without the chain; by another if the code accepts it`, async () => {
        const { wallet, asked, at } = await delegated(code)
        assert.equal((await at.register({ wallet })).status, 201)
        assert.deepEqual(asked, [])
        const { status } = await at.register({ account: wallet.address, wallet: owner })
        assert.deepEqual([status, asked.length], [isTaken ? 201 : 401, 1])
        const stranger = newWallet()
        const other = await at.register({ account: wallet.address, wallet: stranger })
        assert.equal(other.status, 401)
        await at.close()
      })
  })

  describe('whose code', () => {
    /**
     * Puts `code` at a new address; returns how a registration with it went, and how much gas it
     * had.
     */
    const registerAt = async (code: string) => {
      const account = newWallet().address
      await rpc('anvil_setCode', account, code)
      const gas: unknown[] = []
      const at = await keyNode(
        {
          call: (call, ...rest) => {
            gas.push(call.gas)
            return createEthCall([url])(call, ...rest)
          },
        },
        node.store,
      )
      const { status, body } = await at.register({ account, wallet: owner })
      await at.close()
      return { status, error: body.error, gas }
    }
    const LIMIT = `0x${WALLET_GAS_MAX.toString(16)}`
    for (const [what, code] of [
      ['loops for ever', '0x5b5f56'],
      ['burns all its gas', '0xfe'],
      ['takes memory without end', '0x5b5960200152600056'],
      ['calls itself without end', '0x5b5f5f5f5f305af15f56'],
      ['returns a megabyte', '0x620fffff5ff3'],
      ['reverts with much', '0x61ffff5ffd'],
    ] as const)
      test(`${what} is 401, for a bounded sum of gas`, async () => {
        const { status, error, gas } = await registerAt(code)
        assert.deepEqual([status, error, gas], [401, 'INVALID_SIGNATURE', [LIMIT]])
      })

    test('a contract wallet whose code reverts with a megabyte is 503: such an answer is not read', async () => {
      const { status, error, gas } = await registerAt('0x620fffff5ffd')
      assert.deepEqual([status, error, gas], [503, 'CHAIN_UNAVAILABLE', [LIMIT]])
    })

    test(`a contract wallet whose code never answers keeps ${WALLET_CALLS_MAX} calls and no more; a plain wallet registers`, async () => {
      let open: () => void = () => {}
      const asked: string[] = []
      const opened = new Promise<void>((resolve) => {
        open = resolve
      })
      const call: EthCall = async ({ data }) => {
        asked.push(data)
        await opened
        return '0x00'
      }
      const at = await keyNode({ call }, node.store)
      const ask = () => at.register({ account: newWallet().address, wallet: owner })
      const waiting = Array.from({ length: WALLET_CALLS_MAX }, ask)
      await until('all are asked', () => asked.length === WALLET_CALLS_MAX)
      const { status, body, headers } = await ask()
      assert.deepEqual(
        [status, body.error, headers['retry-after']],
        [503, 'CHAIN_UNAVAILABLE', '1'],
      )
      assert.equal((await at.register()).status, 201)
      open()
      assert.ok((await Promise.all(waiting)).every((reply) => reply.status === 401))
      assert.equal((await ask()).status, 401, 'its turn has come')
      await at.close()
    })
  })

  test('a contract wallet is 503 once the chain is gone, and a plain wallet still registers', async () => {
    await stop(anvil)
    // That was the launcher: the chain itself ends a moment later.
    await until('the chain is gone', () =>
      rpc('eth_chainId').then(
        () => false,
        () => true,
      ),
    )
    const { status, body } = await register(plain)
    assert.deepEqual([status, body.error], [503, 'CHAIN_UNAVAILABLE'])
    assert.equal((await node.register()).status, 201)
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  await exited
}
