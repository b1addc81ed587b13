// A fresh anvil that behaves like Arc: blocks that share seconds, a base fee that moves above a
// floor, a coin that is also a token, and a node that refuses the requests that Arc's nodes answer
// badly, over HTTP and over a WebSocket that refuses subscriptions. Transactions sent through it
// can be intercepted before or after. The coin and the token share one balance, as on Arc: gas is
// paid from what can be deposited.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import { startAnvil } from '@openvenue/devnet/anvil'
import { type ChainRpc, rpcAt } from '@openvenue/devnet/rpc'
import {
  ARC_USDC,
  arcTokenAbi,
  arcTokenBytecode,
  MOVES_COINS,
  placeArcCoin,
} from '@openvenue/indexer/test/arc-token'
import { refuseSubscriptions } from '@openvenue/indexer/test/refusing-socket'
import { quantity } from '@openvenue/runtime/node'
import { encodeAbiParameters, encodeDeployData, type Hex, keccak256, parseTransaction } from 'viem'

const GWEI = 1_000_000_000n
const FLOOR_GWEI = 20n
/** The cycle of base fees, gwei. */
const BASE_FEES = [20n, 31n, 24n, 38n, 45n, 29n, 22n]
const BLOCK_MS = 60
/** Maximum time for which a test may hold the blocks. */
const HELD_MS_MAX = 120_000
/** Arc's own token, at the same address. */
export const USDC: Hex = ARC_USDC
/** A wallet that the token blocks: index of the mnemonic. */
const BLOCKED = 13

/** Methods that the node of this chain refuses. */
const REFUSED = new Set([
  'eth_estimateGas',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_feeHistory',
  'eth_newPendingTransactionFilter',
  'eth_subscribe',
])

type Request = Readonly<{ id: unknown; method: string; params?: readonly unknown[] }>

/** Returns why the node refuses a request; undefined: it answers. */
type Denial = (method: string, params: readonly unknown[]) => string | undefined

/** Forwards a transaction, or does something else with it. */
type Interception = (raw: Hex, forward: () => Promise<unknown>) => Promise<unknown>

export type ArcChain = Readonly<{
  /** URL of the node with Arc's behaviour. */
  url: string
  /** WebSocket URL of the same node, which accepts connections and refuses subscriptions. */
  wsUrl: string
  /** Number of refused subscriptions. */
  refused(): number
  /** Client of anvil itself. */
  rpc: ChainRpc
  wallets: readonly Hex[]
  intercept(interception: Interception | undefined): void
  /** Has the node refuse some requests. */
  deny(denial: Denial | undefined): void
  /** Number of transactions sent through the node. */
  sent(): number
  /** Sets the block time. */
  pace(blockMs: number): void
  /** Base fees from the next block on, gwei. */
  charge(gwei: readonly bigint[]): void
  /** Stops mining until `resume`. */
  hold(): Promise<void>
  resume(): void
  /** Advances the chain's time by seconds. */
  skip(seconds: number): Promise<void>
  stop(): Promise<void>
}>

export async function startArcChain(): Promise<ArcChain> {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-arc-'))
  const anvil = await startAnvil({
    port: 0,
    genesisSeconds: seconds(),
    pidPath: join(folder, 'anvil.pid'),
    more: [MOVES_COINS],
  })
  const rpc = rpcAt(anvil.url)
  const wallets = (await rpc.call('eth_accounts')) as Hex[]
  const state: NodeState = { interception: undefined, denial: undefined, sent: 0 }
  const node = await serve((request) => answer(rpc, state, request))
  const clock: Clock = { ...NEW_CLOCK }
  const stopBlocks = makeBlocks(rpc, clock)
  await placeTokens(rpc, wallets)
  return {
    url: node.url,
    wsUrl: node.url.replace('http', 'ws'),
    refused: node.refused,
    rpc,
    wallets,
    pace: (blockMs) => {
      clock.blockMs = blockMs
    },
    charge: (gwei) => {
      clock.baseFees = gwei
    },
    hold: async () => {
      clock.isHeld = true
      await until('no block is being mined', () => clock.isIdle)
    },
    resume: () => {
      clock.isHeld = false
    },
    skip: async (skipped) => {
      clock.aheadSeconds += skipped
      const target = seconds() + clock.aheadSeconds
      await until(
        `a block has the time ${target}`,
        async () => Number((await newestBlock(rpc)).timestamp) >= target,
      )
    },
    intercept: (interception) => {
      state.interception = interception
    },
    deny: (denial) => {
      state.denial = denial
    },
    sent: () => state.sent,
    stop: async () => {
      await stopBlocks()
      node.close()
      await anvil.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type NodeState = {
  interception: Interception | undefined
  denial: Denial | undefined
  sent: number
}

async function answer(rpc: ChainRpc, state: NodeState, { method, params = [] }: Request) {
  if (REFUSED.has(method)) throw new Error(`${method} is not supported`)
  const denied = state.denial?.(method, params)
  if (denied !== undefined) throw new Error(denied)
  const forward = () => rpc.call(method, ...params)
  if (method !== 'eth_sendRawTransaction') return forward()
  const raw = params[0] as Hex
  requireFloor(raw)
  state.sent += 1
  return state.interception === undefined ? forward() : state.interception(raw, forward)
}

const newestBlock = async (rpc: ChainRpc) =>
  (await rpc.call('eth_getBlockByNumber', 'latest', false)) as Readonly<{ timestamp: Hex }>

const seconds = () => Math.floor(Date.now() / 1000)

function requireFloor(raw: Hex): void {
  const { maxFeePerGas = 0n } = parseTransaction(raw as never) as { maxFeePerGas?: bigint }
  if (maxFeePerGas < FLOOR_GWEI * GWEI) throw new Error('transaction underpriced')
}

/** Several blocks a second, each with the wall-clock time and its own base fee. */
type Clock = {
  aheadSeconds: number
  blockMs: number
  baseFees: readonly bigint[]
  isHeld: boolean
  /** No block is being mined. */
  isIdle: boolean
}
const NEW_CLOCK: Readonly<Clock> = {
  aheadSeconds: 0,
  blockMs: BLOCK_MS,
  baseFees: BASE_FEES,
  isHeld: false,
  isIdle: true,
}

function makeBlocks(rpc: ChainRpc, clock: Clock): () => Promise<void> {
  const state = { isStopped: false }
  const work = async () => {
    for (let block = 0; !state.isStopped; block += 1) {
      clock.isIdle = true
      await until('mining resumes', () => !clock.isHeld || state.isStopped, HELD_MS_MAX)
      clock.isIdle = false
      const { baseFees } = clock
      const fee = (baseFees[block % baseFees.length] as bigint) * GWEI
      await rpc.call('anvil_setNextBlockBaseFeePerGas', quantity(fee))
      await rpc.call('evm_mine', { timestamp: clock.aheadSeconds + seconds() })
      clock.isIdle = true
      await sleep(clock.blockMs)
    }
  }
  const ended = work().catch((error: Error) => {
    if (!state.isStopped) throw error
  })
  return async () => {
    state.isStopped = true
    await ended
  }
}

/** Deploys the token at Arc's address, with a blocked wallet. */
async function placeTokens(rpc: ChainRpc, wallets: readonly Hex[]): Promise<void> {
  const token = await createToken(rpc, wallets[0] as Hex, ['USD Coin', 'USDC', 6])
  await placeArcCoin(rpc.call, token)
  const isBlocked = slotOf(wallets[BLOCKED] as Hex)
  await rpc.call('anvil_setStorageAt', USDC, isBlocked, `0x${'1'.padStart(64, '0')}`)
}

const BLOCKED_SLOT = 6n

function slotOf(holder: Hex): Hex {
  return keccak256(
    encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [holder, BLOCKED_SLOT]),
  )
}

/** Creates a token with special behaviour, and returns its address. */
export async function createToken(
  rpc: ChainRpc,
  from: Hex,
  args: readonly [string, string, number],
): Promise<Hex> {
  const data = encodeDeployData({ abi: arcTokenAbi, bytecode: arcTokenBytecode, args })
  const { contractAddress } = await sendFrom(rpc, { from, data })
  return contractAddress as Hex
}

type Tx = Readonly<{ from: Hex; to?: Hex; data?: Hex; value?: bigint }>
type Receipt = Readonly<{ status: Hex; contractAddress: Hex | null }>

/** Sends a transaction of an account of the mnemonic, and returns its receipt. */
export async function sendFrom(rpc: ChainRpc, { value, ...tx }: Tx): Promise<Receipt> {
  const hash = await rpc.call('eth_sendTransaction', {
    ...tx,
    ...(value === undefined ? {} : { value: quantity(value) }),
    gas: quantity(8_000_000),
    maxFeePerGas: quantity(200n * GWEI),
    maxPriorityFeePerGas: quantity(GWEI),
  })
  const readReceipt = async () =>
    (await rpc.call('eth_getTransactionReceipt', hash)) as Receipt | null
  const receipt = await until(`${hash} has a receipt`, readReceipt)
  if (receipt.status !== '0x1') throw new Error(`${hash} reverted`)
  return receipt
}

type Node = Readonly<{ url: string; refused(): number; close(): void }>

async function serve(answer: (request: Request) => Promise<unknown>): Promise<Node> {
  const reply = async (request: Request) => {
    const head = { jsonrpc: '2.0', id: request.id }
    try {
      return { ...head, result: (await answer(request)) ?? null }
    } catch (error) {
      return { ...head, error: { code: -32000, ...refusalOf(error as Error) } }
    }
  }
  const server = createServer((request, response) => {
    const work = async () => {
      const body = JSON.parse(await readBody(request)) as Request | Request[]
      const replies = Array.isArray(body) ? await Promise.all(body.map(reply)) : await reply(body)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(replies))
    }
    work().catch(() => response.destroy())
  })
  const sockets = refuseSubscriptions(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    refused: sockets.refused,
    close: () => {
      sockets.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The data of a revert is at the end of the message of the devnet's client. */
function refusalOf({ message }: Error) {
  const [data] = /0x[0-9a-f]{8,}$/.exec(message) ?? []
  return data === undefined ? { message } : { message, data }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
