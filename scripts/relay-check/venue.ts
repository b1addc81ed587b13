// Reads the relay's key, its rules and its whole ledger from a venue, and verifies its signatures.
import type { Info } from '@openvenue/wire/info'
import type { LedgerItem, Receipt, Relay, RelayLedger } from '@openvenue/wire/relay'
import { keccak256, recoverTypedDataAddress, stringToHex } from 'viem'
import type { Breach, History } from './histories.ts'
import type { LedgerRead } from './ledger-proof.ts'

const TIMEOUT_MS = 30_000
const PAGE_MAX = 1000
/** Maximum delay between retries, whatever the venue asks for. */
const RETRY_SECONDS_MAX = 60

export type Get = <T>(path: string) => Promise<T>

/** Returns a function that requests data of the venue at `url`; a 429 is retried when it allows. */
export const createGet =
  (url: string): Get =>
  async (path) => {
    for (;;) {
      const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
      if (answer.ok) return (await answer.json()) as never
      const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
      if (answer.status !== 429 || !(seconds <= RETRY_SECONDS_MAX))
        throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`)
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(resolve, seconds * 1000)
      await promise
    }
  }

export type VenueRead = Readonly<{
  info: Info
  relay: Relay
  ledger: LedgerRead & Readonly<{ signature: string | null }>
}>

/** Returns the venue's own information, and every entry of its ledger up to one head. */
export async function readVenue(get: Get): Promise<VenueRead> {
  const [info, relay] = await Promise.all([get<Info>('/info'), get<Relay>('/relay')])
  const first = await get<RelayLedger>(`/relay/ledger?limit=1`)
  const head = first.head ?? undefined
  const entries: LedgerItem[] = []
  for (let next = first.from_seq; head !== undefined && next <= head.seq; ) {
    const page = await get<RelayLedger>(`/relay/ledger?from_seq=${next}&limit=${PAGE_MAX}`)
    entries.push(...page.entries.filter(({ seq }) => seq <= head.seq))
    if (page.next_seq === null) break
    next = page.next_seq
  }
  const ledger = { entries, fromSeq: first.from_seq, head, signature: head?.signature ?? null }
  return { info, relay, ledger }
}

/** Returns what is wrong with the signature of the head. */
export async function checkHead({ relay, ledger }: VenueRead): Promise<readonly Breach[]> {
  const { head, signature } = ledger
  if (head === undefined) return []
  const message = { seq: BigInt(head.seq), hash: `0x${head.hash}` }
  const signer = await recover(relay.typed_data.LedgerHead, message, signature)
  if (isReceiptKey(relay, signer)) return []
  return [{ orderId: '', seq: head.seq, reason: 'the receipt key has not signed this head' }]
}

/** Returns what is wrong with the receipts of some of `histories`, each asked for by itself. */
export async function checkReceipts(
  get: Get,
  { relay }: VenueRead,
  histories: readonly History[],
): Promise<readonly Breach[]> {
  const broken: Breach[] = []
  for (const { orderId, entries } of histories) {
    const page = await get<RelayLedger>(`/relay/ledger?order_id=${orderId}`)
    for (const { seq, receipt } of page.entries) {
      if (receipt === undefined) continue
      const entry = entries.find((candidate) => candidate.seq === seq)
      const reason = entry && (await judgeReceipt(relay, entry, receipt))
      if (reason !== undefined) broken.push({ orderId, seq, reason })
    }
  }
  return broken
}

/** Returns how a receipt differs from the ledger; undefined when it does not. */
async function judgeReceipt(
  relay: Relay,
  entry: LedgerItem,
  receipt: Receipt,
): Promise<string | undefined> {
  const { order_id, received_ns, seq, lane, include_by_block, signature } = receipt
  const isSame =
    seq === entry.seq &&
    lane === entry.lane &&
    received_ns === entry.at_ns &&
    include_by_block === entry.include_by_block &&
    order_id === receiptId(entry.order_id)
  if (!isSame) return 'its receipt differs from the ledger'
  const message = {
    orderId: order_id,
    receivedNs: BigInt(received_ns),
    seq: BigInt(seq),
    lane,
    includeByBlock: BigInt(include_by_block),
  }
  const signer = await recover(relay.typed_data.Receipt, message, signature)
  return isReceiptKey(relay, signer) ? undefined : 'its receipt is not signed by the receipt key'
}

/** Receipts of a former key stay valid while its address is published. */
const isReceiptKey = ({ receipt_keys: keys }: Relay, signer: string | undefined): boolean =>
  signer !== undefined && keys.includes(signer)

/** An unsigned cancel has no digest: its name is hashed. */
export const receiptId = (id: string) =>
  id.startsWith('cancel:') ? keccak256(stringToHex(id)) : id

async function recover(
  data: Relay['typed_data']['Receipt'],
  message: Readonly<Record<string, unknown>>,
  signature: string | null,
): Promise<string | undefined> {
  if (signature === null) return undefined
  const { domain, types, primaryType } = data
  const signed = { domain, types, primaryType, message, signature }
  try {
    return (await recoverTypedDataAddress(signed as never)).toLowerCase()
  } catch {
    // The signature is not on the curve: there is no signer.
    return undefined
  }
}
