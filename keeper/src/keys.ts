// Relays registrations of signing keys, and allowances of the venue's canceller, to the chain.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import type { Signal } from '@openvenue/runtime/signal'
import { readViews } from '@openvenue/runtime/views'
import { LISTEN_FALLBACK_MS } from '@openvenue/store/db/db'
import {
  type KeyRelay,
  type KeyRelays,
  REGISTER_GAS_MAX,
} from '@openvenue/store/identity/key-relays'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { readHead } from './chain-snapshot.ts'
import type { TxRequest, TxResult } from './pending-tx.ts'
import type { Task } from './task.ts'
import type { TaskContext } from './task-context.ts'

/** Poll interval while a registration is pending. */
const LOOK_MS = 2_000
/** Maximum number of registrations in one round; the next round continues. */
const KEYS_PER_ROUND_MAX = 16

/** `KEY_LIFE_MAX` of the contract. */
const KEY_LIFE_MAX_S = 30 * 24 * 3600

/** Errors of the contract that no retry can resolve. */
const FINAL = [
  'SignatureInvalid',
  'KeyTaken',
  'KeyDead',
  'KeyExpiryPassed',
  'WalletZero',
  'CancellerExpirySpent',
  'CancellerExpiryOutOfRange',
]
/** Messages of nodes when a call exceeds its gas limit: a smart wallet burns gas. */
const GAS_SPENT = /out of gas|gas required exceeds/i
const GAS_REASON = 'GasAboveMaximum'

/** Returns the task. */
export function keysTask(context: TaskContext, relays: KeyRelays, trigger: Signal): Task {
  let isPending = false
  return {
    name: 'keys',
    get everyMs() {
      return isPending ? LOOK_MS : LISTEN_FALLBACK_MS
    },
    trigger,
    round: async () => {
      const unfinished = await relays.unfinished(KEYS_PER_ROUND_MAX)
      isPending = unfinished.length > 0
      await relayKeys(context, relays, startable(unfinished))
    },
  }
}

async function relayKeys(
  context: TaskContext,
  relays: KeyRelays,
  pending: readonly KeyRelay[],
): Promise<void> {
  if (pending.length === 0) return
  const isThere = await areThere(context, pending)
  const nowMs = () => context.clock.nowMs()
  for (const [at, { id }] of pending.entries()) if (isThere[at]) await relays.done(id, nowMs())
  const absent = pending.filter((_, at) => !isThere[at])
  const marks: Promise<void>[] = []
  const calls = absent.map((relay) => ({
    ...relayRequest(context, relay),
    onSent: (hash: Hex) => void marks.push(markSent(context, relays, { id: relay.id, hash })),
  }))
  const outcomes = await context.sendAll('keys', calls)
  await Promise.all(marks)
  const untaken: string[] = []
  for (const [at, relay] of absent.entries())
    untaken.push(...(await finish(context, relays, [relay, outcomes[at]])))
  if (untaken.length > 0) throw new Error(`${untaken.length} relays failed: ${untaken[0]}`)
}

const WORDS = { key: 'signing key', canceller: 'canceller' } as const

/** An allowance may be signed by a key that is still pending, so it waits for those keys. */
function startable(pending: readonly KeyRelay[]): readonly KeyRelay[] {
  const registering = new Set<string>()
  return pending.filter(({ kind, wallet }) => {
    if (kind === 'key') registering.add(wallet)
    return kind === 'key' || !registering.has(wallet)
  })
}

/** Never rejects: the result is not awaited, and the end of the relay stores the hash again. */
const markSent = (
  { clock, log }: TaskContext,
  relays: KeyRelays,
  { id, hash }: Readonly<{ id: string; hash: Hex }>,
): Promise<void> =>
  relays
    .sent(id, hash, clock.nowMs())
    .catch((error: unknown) => log.warn({ err: error, hash }, 'a sent relay was not recorded'))

/** Completes a relay, or returns the temporary reason for which it stays queued. */
async function finish(
  context: TaskContext,
  relays: KeyRelays,
  [relay, outcome]: readonly [KeyRelay, TxResult | undefined],
): Promise<readonly string[]> {
  const facts = { wallet: relay.wallet, key: relay.signingKey }
  if (outcome?.kind === 'included') {
    await relays.done(relay.id, context.clock.nowMs(), outcome.hash)
    context.log.info(
      { ...facts, block: outcome.blockNumber },
      `a ${WORDS[relay.kind]} is on the chain`,
    )
    return []
  }
  const reason = outcome === undefined ? undefined : finalReason(outcome)
  if (reason !== undefined) {
    await relays.failed(relay.id, reason, context.clock.nowMs())
    context.log.warn({ ...facts, reason }, `a ${WORDS[relay.kind]} was given up`)
    return []
  }
  return outcome?.kind === 'refused' ? [outcome.reason.name] : []
}

/**
 * Returns why there is no retry; undefined when there is one. A call that passes its simulation and
 * reverts in a block would cost the venue a fee per retry: its owner may ask again.
 */
function finalReason(outcome: TxResult): string | undefined {
  if (outcome.kind === 'reverted')
    return GAS_SPENT.test(outcome.reason.name) ? GAS_REASON : outcome.reason.name
  if (outcome.kind !== 'refused') return undefined
  const { name } = outcome.reason
  if (GAS_SPENT.test(name)) return GAS_REASON
  return FINAL.includes(name) ? name : undefined
}

/** Returns whether the chain already has each of them, with the signed or the maximum lifetime. */
async function areThere(context: TaskContext, pending: readonly KeyRelay[]): Promise<boolean[]> {
  const view = (functionName: string, args: readonly unknown[]) => ({
    to: context.deployment.accounts,
    abi: accountsAbi as Abi,
    functionName,
    args,
  })
  const [head, values] = await Promise.all([
    readHead(context.node),
    readViews(
      context.node,
      pending.flatMap(({ wallet, signingKey }) => [
        view('accountOf', [wallet]),
        view('keyOf', [signingKey]),
      ]),
    ),
  ])
  const accounts = pending.map((_, at) => Number(values[2 * at]))
  const allowed = await readViews(
    context.node,
    pending.map(({ signingKey }, at) => view('cancellerExpiry', [accounts[at], signingKey])),
  )
  return pending.map((relay, at) => {
    const account = accounts[at]
    if (relay.kind === 'canceller')
      return account !== 0 && expiryIn(allowed[at]) >= relay.expiry && relay.expiry > head.seconds
    const [keyAccount, expiry] = (values[2 * at + 1] as [number, number]).map(Number)
    const isOurs = account !== 0 && keyAccount === account && (expiry ?? 0) > head.seconds
    // The contract caps the signed expiry; an older registration of the key expires earlier.
    const cut = BigInt(Math.floor(relay.createdMs / 1000) + KEY_LIFE_MAX_S)
    return isOurs && BigInt(expiry ?? 0) >= (relay.expiry < cut ? relay.expiry : cut)
  })
}

const expiryIn = (answer: unknown): bigint => BigInt(answer as number | bigint)

const relayRequest = (context: TaskContext, relay: KeyRelay): TxRequest =>
  relay.kind === 'key' ? registerKeyRequest(context, relay) : allowRequest(context, relay)

const allowRequest = ({ deployment }: TaskContext, relay: KeyRelay): TxRequest => ({
  to: deployment.accounts,
  data: encodeFunctionData({
    abi: accountsAbi,
    functionName: 'allowCancellerSigned',
    args: [
      relay.wallet as Hex,
      relay.signingKey as Hex,
      relay.expiry,
      relay.walletSignature as Hex,
    ],
  }),
  description: `canceller ${relay.signingKey} of ${relay.wallet}`,
  gasMax: BigInt(REGISTER_GAS_MAX),
})

const registerKeyRequest = ({ deployment }: TaskContext, relay: KeyRelay): TxRequest => ({
  to: deployment.accounts,
  data: encodeFunctionData({
    abi: accountsAbi,
    functionName: 'register',
    args: [
      relay.wallet as Hex,
      relay.signingKey as Hex,
      relay.expiry,
      relay.walletSignature as Hex,
      relay.signingKeySignature as Hex,
    ],
  }),
  description: `key ${relay.signingKey} of ${relay.wallet}`,
  gasMax: BigInt(REGISTER_GAS_MAX),
})
