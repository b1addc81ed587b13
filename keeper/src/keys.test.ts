// Relaying of signing keys to the chain: transactions, final refusals and their cost.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { until } from '@openvenue/core/test/until'
import { nodeAt } from '@openvenue/runtime/node'
import { readViews } from '@openvenue/runtime/views'
import { type KeyRelay, REGISTER_GAS_MAX } from '@openvenue/store/identity/key-relays'
import { type Abi, type Hex, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { derivePrivateKey } from '../test/live-sender.ts'
import { LiveVenue, OWNER, only } from '../test/live-venue.ts'
import { createGrant } from '../test/registrations.ts'

const HOUR_S = 3600n
const LIFE_MAX_S = 30n * 24n * HOUR_S

const CANCELLER = `0x${'ca'.repeat(20)}` as const
const AllowCanceller = [
  { name: 'account', type: 'address' },
  { name: 'canceller', type: 'address' },
  { name: 'expiry', type: 'uint256' },
] as const

const newWallet = () => privateKeyToAccount(generatePrivateKey())

describe('a keeper that registers keys', () => {
  let live: LiveVenue
  /** While true, the store fails to record transactions of keys. */
  let isAway = false
  before(async () => {
    live = await LiveVenue.start()
    live.mineEverySecond()
    const { keyRelays } = live.store
    const sent: typeof keyRelays.sent = (...args) =>
      isAway ? Promise.reject(new Error('the database is away')) : keyRelays.sent(...args)
    const keeper = live.keeper(only('keys'), { keyRelays: { ...keyRelays, sent } })
    keeper.start()
    await live.leads(keeper)
  })
  after(() => live.stop())

  const nowSeconds = async () => {
    const head = (await live.venue.call('eth_getBlockByNumber', 'latest', false)) as {
      timestamp: string
    }
    return BigInt(head.timestamp)
  }
  type Given = Readonly<{ account?: string; key?: PrivateKeyAccount; expiry?: bigint }>
  /** Queues a registration by `wallet`, or by the contract at `account` in its name. */
  async function queue(wallet: PrivateKeyAccount, given: Given = {}): Promise<KeyRelay> {
    const { account = wallet.address, key = newWallet() } = given
    const expiry = given.expiry ?? (await nowSeconds()) + HOUR_S
    const grant = createGrant(live, { account: account as Hex, key: key.address, expiry })
    const walletSignature = await wallet.signTypedData({ ...grant, primaryType: 'RegisterKey' })
    const signingKeySignature = await key.signTypedData({ ...grant, primaryType: 'AcceptKey' })
    const outcome = await live.store.keyRelays.enqueue(
      {
        wallet: account.toLowerCase(),
        signingKey: key.address.toLowerCase(),
        expiry,
        walletSignature,
        signingKeySignature,
      },
      live.clock.nowMs(),
    )
    assert.ok('relay' in outcome)
    return outcome.relay
  }
  const now = async ({ wallet, signingKey, expiry }: KeyRelay): Promise<KeyRelay> => {
    const relays = await live.store.keyRelays.of(wallet, signingKey)
    const match = relays.find((relay) => relay.expiry === expiry)
    assert.ok(match)
    return match
  }
  const ended = async (relay: KeyRelay): Promise<KeyRelay> => {
    const isEnded = async () => ['done', 'failed'].includes((await now(relay)).status)
    await until('the relay ends', isEnded)
    return now(relay)
  }
  const ask = async (functionName: string, args: readonly unknown[]): Promise<unknown> => {
    const { accounts: to } = live.venue.deployment
    const view = { to, abi: accountsAbi as Abi, functionName, args }
    return (await readViews(nodeAt([live.venue.url]), [view]))[0]
  }
  const readExpiry = async ({ signingKey }: KeyRelay): Promise<bigint> =>
    BigInt(((await ask('keyOf', [signingKey])) as readonly [number, number])[1])
  const readGas = async (hash: string | undefined): Promise<number> => {
    const receipt = await live.venue.call('eth_getTransactionReceipt', hash)
    return Number((receipt as { gasUsed: string }).gasUsed)
  }

  test('the keeper registers a key on the chain and records its transaction', async () => {
    const relay = await ended(await queue(newWallet()))
    assert.deepEqual([relay.status, relay.reason], ['done', undefined])
    assert.equal(await readExpiry(relay), relay.expiry)
    const gas = await readGas(relay.txHash)
    assert.ok(gas > 0 && gas < REGISTER_GAS_MAX / 4, `${gas} gas`)
  })

  test('a registration survives a database failure while its transaction is pending', async () => {
    isAway = true
    const relay = await ended(await queue(newWallet()))
    isAway = false
    assert.equal(relay.status, 'done')
    assert.notEqual(relay.txHash, undefined)
  })

  test('a prolongation signed for longer than the contract allows lasts as long as allowed', async () => {
    const [wallet, key] = [newWallet(), newWallet()]
    const short = await ended(await queue(wallet, { key }))
    const long = await ended(await queue(wallet, { key, expiry: 2n ** 256n - 1n }))
    assert.deepEqual([short.status, long.status], ['done', 'done'])
    assert.notEqual(short.txHash, long.txHash)
    const lives = (await readExpiry(long)) - (await nowSeconds())
    assert.ok(lives > LIFE_MAX_S - HOUR_S && lives <= LIFE_MAX_S, `${lives} seconds`)
  })

  test('a key that is already registered is done without a transaction', async () => {
    const relay = await ended(await queue(newWallet()))
    const nonce = await live.nonce(OWNER)
    await live.store.keyRelays.again(relay.id, live.clock.nowMs())
    const repeated = await ended(relay)
    assert.deepEqual([repeated.status, repeated.txHash], ['done', undefined])
    assert.equal(await live.nonce(OWNER), nonce)
  })

  test('a registration that has expired on the chain is not reported as done', async () => {
    const expiry = (await nowSeconds()) + 4n
    const relay = await ended(await queue(newWallet(), { expiry }))
    assert.equal(relay.status, 'done')
    await until('it has ended', async () => (await nowSeconds()) > expiry)
    await live.store.keyRelays.again(relay.id, live.clock.nowMs())
    assert.equal((await ended(relay)).reason, 'KeyExpiryPassed')
  })

  test('the keeper gives up on a key that its wallet has revoked', async () => {
    const [index, key] = [3, newWallet()]
    const wallet = privateKeyToAccount(derivePrivateKey(index))
    await ended(await queue(wallet, { key }))
    const { accounts } = live.venue.deployment
    await live.send([live.tx(index, accounts, [accountsAbi as Abi, 'revoke', [key.address]])])
    const relay = await ended(
      await queue(wallet, { key, expiry: (await nowSeconds()) + 2n * HOUR_S }),
    )
    assert.deepEqual([relay.status, relay.reason], ['failed', 'KeyDead'])
  })

  test('a registration that the contract refuses fails with its error, and is not sent', async () => {
    const key = newWallet()
    await ended(await queue(newWallet(), { key }))
    const nonce = await live.nonce(OWNER)
    const [taken, past, forged, good] = [
      await queue(newWallet(), { key }),
      await queue(newWallet(), { expiry: 1n }),
      await queue(newWallet(), { account: newWallet().address }),
      await queue(newWallet()),
    ]
    const reasons = []
    for (const relay of [taken, past, forged, good]) reasons.push((await ended(relay)).reason)
    assert.deepEqual(reasons, ['KeyTaken', 'KeyExpiryPassed', 'SignatureInvalid', undefined])
    assert.equal(await live.nonce(OWNER), nonce + 1)
  })

  test('a smart wallet gets no more gas for its signature than the venue pays for', async () => {
    const [fair, greedy] = [await deploy(burning(8_000)), await deploy(burning(50_000))]
    const nonce = await live.nonce(OWNER)
    const refused = await ended(await queue(newWallet(), { account: greedy }))
    assert.equal(refused.status, 'failed')
    assert.equal(await live.nonce(OWNER), nonce, 'nothing was sent')
    const relay = await ended(await queue(newWallet(), { account: fair }))
    assert.equal(relay.status, 'done')
    const gas = await readGas(relay.txHash)
    assert.ok(gas > REGISTER_GAS_MAX / 2 && gas <= REGISTER_GAS_MAX, `${gas} gas`)
  })

  test('the venue pays once for a smart wallet that reverts only on the chain', async () => {
    const account = await deploy(TRIED_ONLY)
    const nonce = await live.nonce(OWNER)
    const relay = await ended(await queue(newWallet(), { account }))
    assert.equal(relay.status, 'failed')
    await ended(await queue(newWallet()))
    assert.equal(await live.nonce(OWNER), nonce + 2)
  })

  /** Queues an allowance that `by` signs for the account of `wallet`. */
  async function allow(wallet: PrivateKeyAccount, by: PrivateKeyAccount, expiry: bigint) {
    const { domain } = createGrant(live, { account: CANCELLER, key: CANCELLER, expiry })
    const signature = await by.signTypedData({
      domain,
      types: { AllowCanceller },
      primaryType: 'AllowCanceller',
      message: { account: wallet.address, canceller: CANCELLER, expiry },
    })
    const account = wallet.address.toLowerCase()
    const allowance = { wallet: account, canceller: CANCELLER, expiry, signature }
    const outcome = await live.store.keyRelays.enqueueAllowance(allowance, live.clock.nowMs())
    assert.ok('relay' in outcome)
    return outcome.relay
  }
  const allowedUntil = async (wallet: PrivateKeyAccount) =>
    BigInt(
      (await ask('cancellerExpiry', [
        await ask('accountOf', [wallet.address]),
        CANCELLER,
      ])) as number,
    )

  test('an allowance of a canceller is relayed after the key that signed it, and so is a later one', async () => {
    const [wallet, key] = [newWallet(), newWallet()]
    const expiry = (await nowSeconds()) + HOUR_S
    const registered = await queue(wallet, { key })
    const relay = await ended(await allow(wallet, key, expiry))
    assert.deepEqual([relay.status, relay.kind], ['done', 'canceller'])
    assert.equal((await now(registered)).status, 'done')
    assert.equal(await allowedUntil(wallet), expiry)
    const later = await ended(await allow(wallet, wallet, expiry + 1n))
    assert.equal(later.status, 'done')
    assert.equal(await allowedUntil(wallet), expiry + 1n)
    const gas = await readGas(later.txHash)
    assert.ok(gas > 0 && gas < REGISTER_GAS_MAX / 4, `${gas} gas`)
  })

  test('an allowance of a canceller that the chain already has or refuses is not sent', async () => {
    const [wallet, stranger] = [newWallet(), newWallet()]
    const expiry = (await nowSeconds()) + HOUR_S
    await ended(await queue(wallet))
    const relay = await ended(await allow(wallet, wallet, expiry))
    const nonce = await live.nonce(OWNER)
    await live.store.keyRelays.again(relay.id, live.clock.nowMs())
    assert.deepEqual((await ended(relay)).txHash, undefined)
    const forged = await ended(await allow(wallet, stranger, expiry + 1n))
    assert.deepEqual([forged.status, forged.reason], ['failed', 'SignatureInvalid'])
    const far = await ended(await allow(wallet, wallet, expiry + LIFE_MAX_S))
    assert.deepEqual([far.status, far.reason], ['failed', 'CancellerExpiryOutOfRange'])
    assert.equal(await live.nonce(OWNER), nonce)
  })

  async function deploy(code: Hex): Promise<string> {
    const { address } = newWallet()
    await live.venue.call('anvil_setCode', address, code)
    return address
  }
})

/** Returns the magic value of EIP-1271 multiplied by the top of the stack. */
const ANSWER = '631626ba7e0260e01b5f5260205ff3'
/** Returns a wallet that loops `rounds` times, at 26 gas each, and accepts any signature. */
const burning = (rounds: number): Hex =>
  `0x62${numberToHex(rounds, { size: 3 }).slice(2)}5b6001900380600457506001${ANSWER}`
/** A wallet that accepts any signature while the gas price is zero, as in a simulation. */
const TRIED_ONLY: Hex = `0x3a15${ANSWER}`
