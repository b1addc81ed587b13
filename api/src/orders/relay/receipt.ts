// Signs receipts: the promise by which block an accepted intent is on the chain, and in which place
// of its lane. The same intent gives the same bytes, on any node and at any time, so that who asks
// again cannot be given another promise.
import type { Receipt } from '@openvenue/wire/relay'
import { VENUE_MESSAGES } from '@openvenue/wire/signed-messages'
import { privateKeyToAddress } from 'viem/accounts'
import type { Hex } from '../../http/signature-hex.ts'
import { type Domain, messageTypes, type TypedData } from '../../identity/typed-data.ts'
import { keccak256, keccak256OfText } from '../rules/signed-order.ts'
import { signDigest } from '../rules/signing-keys.ts'

/** The members of a receipt, from the tables of the venue. */
export type ReceiptFacts = Readonly<{
  /** Digest of what was signed; of an unsigned cancel, `cancel:` and its target. */
  id: string
  receivedNs: bigint
  seq: number
  lane: string
  /** 0 while it is held. */
  includeByBlock: number
}>

type ReceiptSettings = Readonly<{
  chainId: number
  domainName: string
  /** Never logged, in no message. */
  receiptKey: Hex
}>

export type Receipts = Readonly<{
  /** Address of the key, in lower case. */
  address: string
  of(promised: ReceiptFacts): Receipt
  /** Returns the signature of the newest entry of the ledger: all before it are in its hash. */
  signHead(head: Readonly<{ seq: number; hash: string }>): Hex
}>

/** Names of lanes whose hashes are kept. */
const LANES_MAX = 64

/** Returns what signs receipts with the key of `settings`. */
export function createReceipts({ receiptKey, chainId, domainName }: ReceiptSettings): Receipts {
  const domain: Domain = { name: domainName, version: '1', chainId }
  const separator = domainSeparator(domain)
  const laneHash = keptHashes()
  return {
    address: privateKeyToAddress(receiptKey).toLowerCase(),
    of: (promised) => {
      const hash = receiptDigest(promised, separator, laneHash(promised.lane))
      return {
        order_id: receiptId(promised.id),
        received_ns: promised.receivedNs.toString(),
        seq: promised.seq,
        lane: promised.lane,
        include_by_block: promised.includeByBlock,
        signature: signDigest(hash, receiptKey),
      }
    },
    signHead: ({ seq, hash }) => {
      const message = keccak256(HEAD_TYPE, word(seq), `0x${hash}`)
      const digest = keccak256('0x1901', separator, message)
      return signDigest(digest, receiptKey)
    },
  }
}

/** Returns a message that the venue signs, as eth_signTypedData_v4 takes it, but for its values. */
export function venueTypedData(
  { domainName: name, chainId }: Omit<ReceiptSettings, 'receiptKey'>,
  primaryType: keyof typeof VENUE_MESSAGES,
): Omit<TypedData, 'message'> {
  const domain: Domain = { name, version: '1', chainId }
  const types = messageTypes(domain, primaryType, VENUE_MESSAGES[primaryType])
  return { domain, types, primaryType }
}

/** Returns the 32 bytes that identify an intent: an unsigned cancel has no digest but its name. */
export const receiptId = (id: string): Hex =>
  /^0x[0-9a-f]{64}$/.test(id) ? (id as Hex) : keccak256OfText(id)

const typeHash = (name: keyof typeof VENUE_MESSAGES) => {
  const members = VENUE_MESSAGES[name].map((member) => `${member.type} ${member.name}`)
  return keccak256OfText(`${name}(${members.join(',')})`)
}
const RECEIPT_TYPE = typeHash('Receipt')
const HEAD_TYPE = typeHash('LedgerHead')
const DOMAIN_TYPE = keccak256OfText('EIP712Domain(string name,string version,uint256 chainId)')

const WORD_DIGITS = 64
const word = (value: bigint | number) =>
  `0x${BigInt(value).toString(16).padStart(WORD_DIGITS, '0')}` as const

const domainSeparator = ({ name, version, chainId }: Domain) =>
  keccak256(DOMAIN_TYPE, keccak256OfText(name), keccak256OfText(version), word(chainId))

/** Returns the EIP-712 digest, by hand: a library's encoder takes as long as the signature. */
function receiptDigest(promised: ReceiptFacts, separator: Hex, lane: Hex): Hex {
  const { id, receivedNs, seq, includeByBlock } = promised
  const members = [receiptId(id), word(receivedNs), word(seq), lane, word(includeByBlock)]
  return keccak256('0x1901', separator, keccak256(RECEIPT_TYPE, ...members))
}

function keptHashes(): (text: string) => Hex {
  const hashes = new Map<string, Hex>()
  return (text) => {
    const cached = hashes.get(text)
    if (cached !== undefined) return cached
    const hash = keccak256OfText(text)
    if (hashes.size >= LANES_MAX) hashes.clear()
    hashes.set(text, hash)
    return hash
  }
}
