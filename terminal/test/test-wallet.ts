// A wallet program for tests. It announces itself in the page as extensions do (EIP-6963), signs
// with a key in this process, and sends to the chain. Its answers can be chosen, to simulate its
// user, its program and its network.
import type { BrowserContext } from 'playwright-core'
import { type Hex, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

type Params = readonly unknown[]
type Answer = Readonly<{ result: unknown } | { code: number; message: string }>
type Tx = Readonly<{ to: Hex; data?: Hex }>
/** How it answers requests that prompt the user. */
type ReplyMode = 'signs' | 'refuses' | 'busy' | 'silent' | 'waits'

export type WalletInfo = Readonly<{ name: string; rdns: string; icon: string }>
export const WALLET: WalletInfo = {
  name: 'Test extension',
  rdns: 'org.example.test',
  icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E',
}
const PERSON =
  /^(eth_requestAccounts|eth_sendTransaction|eth_signTypedData_v4|wallet_(switch|add|send).*)$/
const DONE = 200

export class WalletProgram {
  readonly asked: string[] = []
  mood: ReplyMode = 'signs'
  /** The mood starts with this method or message; empty: with any. */
  moodOf = ''
  canBatch = false
  chainId: number
  readonly known: Set<number>
  readonly #rpcUrl: string
  #accounts: readonly PrivateKeyAccount[]
  readonly #waiting: (() => void)[] = []
  readonly #batches = new Map<string, unknown>()

  constructor(rpcUrl: string, chainId: number) {
    this.#rpcUrl = rpcUrl
    this.chainId = chainId
    this.known = new Set([chainId])
    this.#accounts = [privateKeyToAccount(generatePrivateKey())]
  }

  get account(): PrivateKeyAccount {
    const [account] = this.#accounts
    if (account === undefined) throw new Error('the wallet has no account')
    return account
  }

  /** Switches to an account that it did not have before. */
  newAccount(privateKey: Hex = generatePrivateKey()): void {
    this.#accounts = [privateKeyToAccount(privateKey)]
  }

  /** Answers all pending requests, and signs from now on. */
  release(): void {
    this.mood = 'signs'
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Number of requests, by method or by the message to sign. */
  times(what: string): number {
    return this.asked.filter((one) => one === what).length
  }

  /**
   * Puts the wallet into every page of a context. It is also `window.ethereum`, like older wallets,
   * whether it announces itself or not.
   */
  async install(
    context: BrowserContext,
    looks: readonly WalletInfo[] = [WALLET],
    isGlobal = false,
  ): Promise<void> {
    await context.exposeFunction('testWallet', (method: string, params: Params) =>
      this.answer(method, params),
    )
    await context.addInitScript(announce, { looks, isGlobal })
  }

  async answer(method: string, params: Params): Promise<Answer> {
    const what = method === 'eth_signTypedData_v4' ? messageOf(params) : method
    this.asked.push(what)
    if (PERSON.test(method) && (this.moodOf === '' || this.moodOf === what)) {
      if (this.mood === 'refuses') return { code: 4001, message: 'User rejected the request.' }
      if (this.mood === 'busy') return { code: -32_002, message: 'Already pending.' }
      if (this.mood === 'silent') await new Promise(() => {})
      if (this.mood === 'waits') await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return this.#do(method, params)
  }

  async #do(method: string, params: Params): Promise<Answer> {
    const [first] = params as readonly Readonly<{ chainId: Hex; calls: readonly Tx[] }>[]
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return { result: [this.account.address] }
      case 'eth_chainId':
        return { result: numberToHex(this.chainId) }
      case 'wallet_switchEthereumChain':
        if (!this.known.has(Number(first?.chainId))) return { code: 4902, message: 'Unrecognized.' }
        this.chainId = Number(first?.chainId)
        return { result: null }
      case 'wallet_addEthereumChain':
        this.known.add(Number(first?.chainId))
        return { result: null }
      case 'eth_signTypedData_v4':
        return { result: await this.account.signTypedData(JSON.parse(`${params[1]}`)) }
      case 'eth_sendTransaction':
        return { result: await this.#send(params[0] as Tx) }
      default:
        return this.#batch(method, params)
    }
  }

  async #batch(method: string, params: Params): Promise<Answer> {
    if (!this.canBatch) return { code: 4200, message: `${method} is not known` }
    const [first] = params as readonly Readonly<{ chainId: Hex; calls: readonly Tx[] }>[]
    if (method === 'wallet_getCapabilities')
      return { result: { [numberToHex(this.chainId)]: { atomic: { status: 'supported' } } } }
    if (method === 'wallet_getCallsStatus')
      return { result: this.#batches.get(`${params[0]}`) ?? { status: 100 } }
    const receipts: unknown[] = []
    for (const call of first?.calls ?? []) {
      const hash = await this.#send(call)
      receipts.push({ transactionHash: hash, status: '0x1' })
    }
    const id = `batch-${this.#batches.size}`
    this.#batches.set(id, { status: DONE, receipts })
    return { result: { id } }
  }

  async #send({ to, data }: Tx): Promise<Hex> {
    const { address } = this.account
    const nonce = Number(await this.rpc('eth_getTransactionCount', [address, 'pending']))
    const gasPrice = BigInt((await this.rpc('eth_gasPrice', [])) as Hex) * 2n
    const chainId = this.chainId
    const tx = { to, data: data ?? '0x', type: 'legacy', chainId, nonce, gasPrice } as const
    const raw = await this.account.signTransaction({ ...tx, gas: 1_000_000n })
    return (await this.rpc('eth_sendRawTransaction', [raw])) as Hex
  }

  async rpc(method: string, params: Params): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(this.#rpcUrl, { method: 'POST', headers, body })
    const { result, error } = (await response.json()) as Readonly<{
      result?: unknown
      error?: Readonly<{ message: string }>
    }>
    if (error !== undefined) throw new Error(error.message)
    return result
  }
}

const messageOf = (params: Params): string =>
  (JSON.parse(`${params[1]}`) as Readonly<{ primaryType: string }>).primaryType

/** Runs in the page, like an extension. */
function announce({ looks, isGlobal }: { looks: readonly WalletInfo[]; isGlobal: boolean }): void {
  type Testing = typeof window & {
    testWallet: (method: string, params: readonly unknown[]) => Promise<Answer>
    testWalletEvents: Map<string, (() => void)[]>
    ethereum?: object
  }
  const page = window as unknown as Testing
  page.testWalletEvents = new Map()
  const newProvider = () => ({
    request: async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
      const answer = await page.testWallet(method, params)
      if ('result' in answer) return answer.result
      throw Object.assign(new Error(answer.message), { code: answer.code })
    },
    on: (event: string, listener: () => void) => {
      const { testWalletEvents: events } = page
      events.set(event, [...(events.get(event) ?? []), listener])
    },
  })
  const wallets = looks.map((look, at) => ({
    info: { ...look, uuid: `${at}` },
    provider: newProvider(),
  }))
  if (isGlobal) page.ethereum = wallets[0]?.provider ?? newProvider()
  const publish = () => {
    for (const detail of wallets)
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  window.addEventListener('eip6963:requestProvider', publish)
  publish()
}
