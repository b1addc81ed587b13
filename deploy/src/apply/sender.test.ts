// Fates of a transaction between sending and finality: underpriced, lost, displaced by another one
// of the same key, or undone by the chain.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { NETWORKS } from '@openvenue/core/networks'
import { until } from '@openvenue/core/test/until'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { arcTokenAbi } from '@openvenue/indexer/test/arc-token'
import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ArcChain, createToken, sendFrom, startArcChain } from '../../test/arc-chain.ts'
import { Chain } from '../chain/chain.ts'
import { makePlan } from '../plan/plan.ts'
import type { DeployStep } from '../plan/step.ts'
import { applyPlan } from './apply.ts'
import { type Basis, Journal } from './journal.ts'
import { Sender } from './sender.ts'

const DEPLOYER = 9
const PATIENCE = { againMs: 700, foreignMs: 700 }
const GWEI = 1_000_000_000n
const FEES = { feeFloorWei: 20n * GWEI, tipWei: GWEI, capWei: 500n * GWEI }
const CHEAP = [20n]

let arc: ArcChain
let chain: Chain
let token: Hex
const folder = mkdtempSync(join(tmpdir(), 'openvenue-sender-'))
before(async () => {
  arc = await startArcChain()
  chain = new Chain(arc.url)
  token = await createToken(arc.rpc, arc.wallets[0] as Hex, ['Ether', 'ETH', 18])
  arc.charge(CHEAP)
})
afterEach(() => {
  arc.intercept(undefined)
  arc.charge(CHEAP)
  arc.resume()
})
after(async () => {
  await arc?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const deployer = () => arc.wallets[DEPLOYER] as Hex

/** A node that lags behind the previous one by a transaction. */
class LateNode extends Chain {
  looksBehind = 0

  override async nonce(address: Hex): Promise<number> {
    const nonce = await super.nonce(address)
    if (this.looksBehind === 0) return nonce
    this.looksBehind -= 1
    return nonce - 1
  }
}

/** Each test has its own journal. */
let journals = 0
async function newWork(print: (text: string) => void = () => {}, node = chain) {
  journals += 1
  const nonce = await chain.nonce(deployer())
  const basis = { nonce, deployer: deployer() } as Basis
  const journal = Journal.begin(join(folder, `${journals}.json`), basis)
  const account = privateKeyToAccount(derivePrivateKey(DEPLOYER))
  const { chainId } = NETWORKS.testnet
  const parts = { chain: node, chainId, account, fees: FEES, journal, errors: arcTokenAbi, print }
  return { journal, nonce, sender: new Sender({ ...parts, patience: PATIENCE }) }
}

let steps = 0
/** A step whose execution is observable: a new account gets one unit of the token. */
function payment(): DeployStep {
  steps += 1
  const name = `payment ${steps}`
  const to = `0x${keccak256(`0x${Buffer.from(name).toString('hex')}`).slice(-40)}` as Hex
  const balance = { abi: arcTokenAbi, address: token, functionName: 'balanceOf', args: [to] }
  return {
    name,
    owned: undefined,
    to: token,
    gas: 120_000n,
    nonce: undefined,
    expected: '1',
    data: encodeFunctionData({ abi: arcTokenAbi, functionName: 'mint', args: [to, 1n] }),
    read: async () => String(await chain.read<bigint>(balance)),
  }
}

const snapshot = () => arc.rpc.call('evm_snapshot')
/** Reverts the chain to `taken`, and continues without the blocks since. */
async function undo(taken: unknown): Promise<void> {
  await arc.hold()
  assert.equal(await arc.rpc.call('evm_revert', taken), true)
  arc.resume()
}

const mined = (hash: unknown) => until(`${hash} has a receipt`, () => chain.receipt(hash as Hex))

test('an underpriced transaction is resent at a higher fee with its nonce', async () => {
  const { journal, nonce, sender } = await newWork()
  const step = payment()
  arc.intercept(async (_, forward) => {
    await arc.hold()
    const answer = await forward()
    arc.charge([200n])
    arc.resume()
    arc.intercept(undefined)
    return answer
  })
  await sender.send(step)
  const [entry] = journal.entries
  const [first, second] = entry?.attempts ?? []
  assert.ok(first !== undefined && second !== undefined)
  assert.ok(BigInt(first.maxFee) < 200n * GWEI && BigInt(second.maxFee) > 200n * GWEI)
  assert.deepEqual([entry?.nonce, entry?.outcome?.hash], [nonce, second.hash])
  assert.equal(await chain.nonce(deployer()), nonce + 1)
  assert.equal(await step.read(), '1')
})

test('a base fee above the cap ends the run, and the next run sends the same bytes', async () => {
  const { journal, nonce, sender } = await newWork()
  const step = payment()
  const sent: Hex[] = []
  arc.intercept(async (raw) => {
    sent.push(raw)
    arc.charge([700n])
    return keccak256(raw)
  })
  await assert.rejects(sender.send(step), { name: 'FeeAboveCap' })
  assert.equal(journal.pending().length, 1)
  arc.charge(CHEAP)
  arc.intercept(async (raw, forward) => {
    sent.push(raw)
    return forward()
  })
  await sender.settle([step])
  assert.deepEqual(new Set(sent), new Set([journal.at(nonce)?.attempts[0]?.raw]))
  assert.equal(await step.read(), '1')
})

test('a transaction that the node has lost is resent unchanged', async () => {
  const { journal, nonce, sender } = await newWork()
  const step = payment()
  const sent: Hex[] = []
  arc.intercept(async (raw, forward) => {
    sent.push(raw)
    return sent.length < 3 ? keccak256(raw) : forward()
  })
  await sender.send(step)
  assert.equal(sent.length, 3)
  assert.equal(new Set(sent).size, 1)
  assert.equal(journal.at(nonce)?.attempts.length, 1)
  assert.equal(await step.read(), '1')
})

test('a nonce that the key used elsewhere is detected, and the next run uses the next nonce', async () => {
  const { journal, nonce, sender } = await newWork()
  const step = payment()
  arc.intercept(async (raw) => {
    await sendFrom(arc.rpc, { from: deployer(), to: deployer() })
    return keccak256(raw)
  })
  await assert.rejects(sender.send(step), {
    name: 'StepFailed',
    message: new RegExp(`nonce ${nonce} was used by a transaction outside the journal`),
  })
  assert.equal(await step.read(), '0')
  arc.intercept(undefined)
  await sender.settle([step])
  await sender.send(step)
  assert.deepEqual(
    journal.entries.map((entry) => [entry.nonce, entry.outcome?.isReverted]),
    [
      [nonce, true],
      [nonce + 1, false],
    ],
  )
  assert.equal(await step.read(), '1')
})

test('no step reuses a nonce when the node lags', async () => {
  const node = new LateNode(arc.url)
  const { journal, nonce, sender } = await newWork(undefined, node)
  const [first, second] = [payment(), payment()]
  await sender.send(first)
  node.looksBehind = 3
  await sender.send(second)
  assert.deepEqual(
    journal.entries.map((entry) => [entry.nonce, entry.step, entry.outcome?.isReverted]),
    [
      [nonce, first.name, false],
      [nonce + 1, second.name, false],
    ],
  )
  assert.deepEqual([await first.read(), await second.read()], ['1', '1'])
})

test('a transaction that the chain undoes before its receipt is read is resent', async () => {
  const { journal, nonce, sender } = await newWork()
  const step = payment()
  const taken = await snapshot()
  arc.intercept(async (_, forward) => {
    arc.intercept(undefined)
    const hash = await forward()
    await mined(hash)
    await undo(taken)
    return hash
  })
  await sender.send(step)
  assert.equal(journal.at(nonce)?.attempts.length, 1)
  assert.equal(await chain.nonce(deployer()), nonce + 1)
  assert.equal(await step.read(), '1')
})

/** Applies three payments, calling `onLine` after each line of output, and returns the output. */
async function applyThree(
  paid: readonly DeployStep[],
  onLine: (text: string) => Promise<void>,
): Promise<readonly string[]> {
  const lines: string[] = []
  const work = { last: Promise.resolve() }
  const print = (text: string) => {
    lines.push(text)
    work.last = work.last.then(() => onLine(text))
  }
  const { journal, nonce, sender } = await newWork(print)
  const parts = { chain, deployer: deployer(), contracts: [], steps: paid, fees: FEES }
  const plan = () => makePlan(parts)
  await applyPlan(await plan(), { chain, sender, journal, finalityBlocks: 15, plan, print })
  await work.last
  assert.deepEqual(
    journal.entries.map((entry) => [entry.nonce, entry.step, entry.attempts.length]),
    paid.map(({ name }, index) => [nonce + index, name, 1]),
  )
  assert.equal(await chain.nonce(deployer()), nonce + paid.length)
  for (const step of paid) assert.equal(await step.read(), '1')
  return lines
}

test('steps that a reorg undoes before they are final are resent with their nonces', async () => {
  const paid = [payment(), payment(), payment()]
  let taken: unknown
  let isUndone = false
  const lines = await applyThree(paid, async (text) => {
    if (text.startsWith(`${paid[0]?.name}: done`)) taken = await snapshot()
    if (isUndone || !text.startsWith('waiting for block')) return
    isUndone = true
    await undo(taken)
  })
  assert.ok(lines.includes('a reorganisation undid some steps: resending them'))
})

test('a step is not sent when the chain undid the previous one, which is resent first', async () => {
  const [first, second, third] = [payment(), payment(), payment()]
  const taken = await snapshot()
  let reads = 0
  const slow: DeployStep = {
    ...second,
    read: async () => {
      reads += 1
      // The plan reads it once, and then it is read before it is sent.
      if (reads === 2) await undo(taken)
      return second.read()
    },
  }
  const lines = await applyThree([first, slow, third], async () => {})
  assert.ok(lines.includes('a reorganisation undid some steps: resending them'))
})
