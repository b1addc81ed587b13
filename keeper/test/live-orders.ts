// Signs orders like a client, and passes them to the relayer like the API: by the intents table.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { marketId } from '@openvenue/core/ids'
import { E18 } from '@openvenue/core/integers'
import { gasOf, laneOf } from '@openvenue/core/relay'
import { until } from '@openvenue/core/test/until'
import type { Intent, IntentState, NewIntent, OrderMembers } from '@openvenue/store/intents/intents'
import { type Abi, type Hex, hashTypedData, parseAbiItem } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CHAIN_ID, derivePrivateKey } from './live-sender.ts'
import type { LiveVenue } from './live-venue.ts'

const FAR_SECONDS = 10_000_000_000n
const NS_PER_MS = 1_000_000n
/** Lot size of both markets: 0.0001 of the base. */
const LOT = E18 / 10_000n
const SPOT_TICK = 10_000n
const PERP_TICK = E18 / 10n

const field = (name: string, type: string) => ({ name, type })
const ORDER = [
  field('account', 'address'),
  field('market', 'uint32'),
  field('isBuy', 'bool'),
  field('limitPrice', 'uint256'),
  field('amount', 'uint256'),
  field('timeInForce', 'uint8'),
  field('reduceOnly', 'bool'),
  field('triggerKind', 'uint8'),
  field('triggerPrice', 'uint256'),
  field('goodTil', 'uint256'),
  field('maxFills', 'uint8'),
  field('replaces', 'bytes32'),
  field('replacesAmount', 'uint256'),
  field('salt', 'uint256'),
  field('deadline', 'uint256'),
]
const CANCEL = [
  field('account', 'address'),
  field('market', 'uint32'),
  field('orders', 'bytes32[]'),
  field('deadline', 'uint256'),
]
const CANCEL_ALL = [
  field('account', 'address'),
  field('market', 'uint32'),
  field('salt', 'uint256'),
  field('deadline', 'uint256'),
]

type Terms = Readonly<{ tick: number; lots?: bigint } & Partial<Omit<OrderMembers, 'limitPrice'>>>

export class LiveOrders {
  readonly #live: LiveVenue
  /** Domain name of the typed data. */
  readonly domainName: string
  readonly #accounts = new Map<number, number>()
  #salt = 0n

  private constructor(live: LiveVenue, domainName: string) {
    this.#live = live
    this.domainName = domainName
  }

  static async on(live: LiveVenue): Promise<LiveOrders> {
    const to = live.deployment.accounts
    const view = { to, abi: accountsAbi as Abi, functionName: 'domainName', args: [] }
    const [name] = await live.views([view])
    return new LiveOrders(live, String(name))
  }

  /** Returns an order of wallet `by`, by default a resting bid. */
  async order(by: number, { tick, lots = 1_000n, ...terms }: Terms, isPerpetual = false) {
    this.#salt += 1n
    const order: OrderMembers = {
      account: this.#wallet(by),
      market: 1,
      isBuy: true,
      limitPrice: String(BigInt(tick) * (isPerpetual ? PERP_TICK : SPOT_TICK)),
      amount: String(lots * LOT),
      timeInForce: 0,
      reduceOnly: false,
      triggerKind: 0,
      triggerPrice: '0',
      goodTil: '0',
      maxFills: 0,
      replaces: `0x${'0'.repeat(64)}`,
      replacesAmount: '0',
      salt: String(this.#salt),
      deadline: String(FAR_SECONDS),
      ...terms,
    }
    const { id, signature } = await this.#sign(by, { isPerpetual, name: 'Order' }, ORDER, order)
    return this.#intent(by, isPerpetual, {
      id,
      gas: gasOf({ kind: 'order', isPerpetual }),
      payload: { kind: 'order', order, signature },
      deadlineSeconds: BigInt(order.deadline),
    })
  }

  cancel(by: number, target: string, isPerpetual = false): Promise<NewIntent> {
    return this.#intent(by, isPerpetual, {
      id: `cancel:${target}`,
      gas: gasOf({ kind: 'cancel', isPerpetual }),
      payload: { kind: 'cancel', target },
      deadlineSeconds: 2n ** 256n - 1n,
    })
  }

  async signedCancel(by: number, orders: readonly string[]): Promise<NewIntent> {
    const deadline = String(FAR_SECONDS)
    const message = { account: this.#wallet(by), market: 1, orders, deadline }
    const typed = { isPerpetual: false, name: 'Cancel' }
    const { id, signature } = await this.#sign(by, typed, CANCEL, message)
    return this.#intent(by, false, {
      id,
      gas: gasOf({ kind: 'signed_cancel', isPerpetual: false, orders: orders.length }),
      payload: { kind: 'signed_cancel', orders, deadline, signature },
      deadlineSeconds: FAR_SECONDS,
    })
  }

  async signedCancelAll(by: number, orders: readonly number[]): Promise<NewIntent> {
    this.#salt += 1n
    const [salt, deadline] = [String(this.#salt), String(FAR_SECONDS)]
    const message = { account: this.#wallet(by), market: 1, salt, deadline }
    const typed = { isPerpetual: false, name: 'CancelAll' }
    const { id, signature } = await this.#sign(by, typed, CANCEL_ALL, message)
    return this.#intent(by, false, {
      id,
      gas: gasOf({ kind: 'signed_cancel_all', isPerpetual: false, orders: orders.length }),
      payload: { kind: 'signed_cancel_all', orders, salt, deadline, signature },
      deadlineSeconds: FAR_SECONDS,
    })
  }

  /** Accepts `intents`, as the API does. */
  async accept(intents: readonly NewIntent[]): Promise<void> {
    const outcomes = await this.#live.store.intents.add(intents)
    for (const outcome of outcomes) if (!('added' in outcome)) throw new Error('it is new')
  }

  async find(id: string): Promise<Intent> {
    const [intent] = await this.#live.store.intents.find([id])
    if (intent === undefined) throw new Error('an accepted intent is kept')
    return intent
  }

  /** Returns the intents once each of them is in the state. */
  async reach(state: IntentState, intents: readonly NewIntent[]): Promise<readonly Intent[]> {
    const ids = intents.map(({ id }) => id)
    let stored: readonly Intent[] = []
    const words = () => stored.map((intent) => `${intent.state} ${intent.reason ?? ''}`).join()
    await until(
      () => `all intents are ${state}: got ${words()}`,
      async () => {
        stored = await this.#live.store.intents.find(ids)
        return stored.length === ids.length && stored.every((intent) => intent.state === state)
      },
    )
    return stored
  }

  /** Has a wallet allow `canceller`. */
  async allow(by: number, canceller: string): Promise<void> {
    const abi = [parseAbiItem('function allowCanceller(address,address,uint256)')] as Abi
    const seconds = BigInt(Math.floor(this.#live.clock.nowMs() / 1000) + 20 * 24 * 3600)
    await this.#live.send([
      this.#live.tx(by, this.#live.deployment.accounts, [
        abi,
        'allowCanceller',
        [this.#wallet(by), canceller, seconds],
      ]),
    ])
  }

  market(isPerpetual: boolean): string {
    const { spot, perps } = this.#live.deployment
    return marketId((isPerpetual ? perps : spot) as never, 1)
  }

  /** The account number never changes, even while a node answers from undone blocks. */
  async #account(by: number): Promise<number> {
    const account = this.#accounts.get(by) ?? (await this.#live.account(by))
    this.#accounts.set(by, account)
    return account
  }

  #wallet(by: number): string {
    return (this.#live.venue.wallets[by] ?? '').toLowerCase()
  }

  async #sign(
    by: number,
    { isPerpetual, name }: Readonly<{ isPerpetual: boolean; name: string }>,
    members: readonly Readonly<{ name: string; type: string }>[],
    message: object,
  ): Promise<Readonly<{ id: Hex; signature: Hex }>> {
    const { spot, perps } = this.#live.deployment
    const data = {
      domain: {
        name: this.domainName,
        version: '1',
        chainId: CHAIN_ID,
        verifyingContract: (isPerpetual ? perps : spot) as Hex,
      },
      types: { [name]: members },
      primaryType: name,
      message,
    } as never
    const signature = await privateKeyToAccount(derivePrivateKey(by)).signTypedData(data)
    return { id: hashTypedData(data), signature }
  }

  async #intent(
    by: number,
    isPerpetual: boolean,
    terms: Pick<NewIntent, 'id' | 'gas' | 'payload' | 'deadlineSeconds'>,
  ): Promise<NewIntent> {
    const market = this.market(isPerpetual)
    return {
      ...terms,
      account: await this.#account(by),
      wallet: this.#wallet(by),
      market,
      lane: laneOf(terms.payload.kind, market, 1),
      state: 'queued',
      receivedNs: BigInt(this.#live.clock.nowMs()) * NS_PER_MS,
      includeByBlock: 1,
    }
  }
}
