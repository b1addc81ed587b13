// Computes the state root of a dumped chain: the hash that a block's header commits to.
import { hash } from 'node:crypto'
import { invariant } from '@openvenue/core/assert'

/** An account in anvil's dump. Quantities are hex, of any length. */
export type DumpedAccount = Readonly<{
  nonce: number
  balance: string
  code: string
  storage: Readonly<Record<string, string>>
}>

type Rlp = Uint8Array | readonly Rlp[]
/** A key, hashed and in nibbles, and its RLP-encoded value. */
type Leaf = Readonly<{ key: string; value: Uint8Array }>

const NIBBLES = '0123456789abcdef'
const EMPTY = new Uint8Array()
const SLOT_DIGITS = 64
/** Shorter nodes are part of their parent; others are represented by their hash. */
const HASHED_BYTES_MIN = 32

/**
 * Returns the root of the Merkle-Patricia trie over all accounts and their storage, like anvil:
 * unlike on other chains, slots set to zero remain in it.
 */
export const stateRoot = (accounts: Readonly<Record<string, DumpedAccount>>): string =>
  `0x${trieRoot(
    Object.entries(accounts).map(([address, { nonce, balance, storage, code }]) => ({
      key: hashedKey(hexBytes(address)),
      value: toRlp([
        quantityBytes(nonce),
        quantityBytes(balance),
        storageRoot(storage),
        keccak256(hexBytes(code)),
      ]),
    })),
  ).toString('hex')}`

const storageRoot = (storage: DumpedAccount['storage']): Buffer =>
  trieRoot(
    Object.entries(storage).map(([slot, value]) => ({
      key: hashedKey(hexBytes(slot, SLOT_DIGITS)),
      value: toRlp(quantityBytes(value)),
    })),
  )

// OpenSSL takes a tenth of the time of an implementation in JavaScript.
const keccak256 = (bytes: Uint8Array): Buffer => hash('keccak-256', bytes, 'buffer')
const hashedKey = (key: Uint8Array) => keccak256(key).toString('hex')
const hexBytes = (hex: string, digits = 0) => Buffer.from(hex.slice(2).padStart(digits, '0'), 'hex')

/** Big-endian without leading zeros: zero has no bytes. */
function quantityBytes(value: number | string): Uint8Array {
  const digits = BigInt(value).toString(16)
  return digits === '0' ? EMPTY : Buffer.from(evenDigits(digits), 'hex')
}

const evenDigits = (digits: string) => (digits.length % 2 === 0 ? digits : `0${digits}`)

function trieRoot(leaves: readonly Leaf[]): Buffer {
  if (leaves.length === 0) return keccak256(toRlp(EMPTY))
  const sorted = leaves.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return keccak256(toRlp(trieNode(sorted, 0)))
}

/** Returns the node over `leaves`, which are sorted and share their first `depth` nibbles. */
function trieNode(leaves: readonly Leaf[], depth: number): Rlp {
  const [first, last] = [leaves[0], leaves.at(-1)]
  invariant(first !== undefined && last !== undefined, 'a node has leaves', { depth })
  if (leaves.length === 1) return [compactPath(first.key.slice(depth), true), first.value]
  let shared = depth
  while (first.key[shared] === last.key[shared]) shared += 1
  if (shared === depth) return branch(leaves, depth)
  return [compactPath(first.key.slice(depth, shared), false), reference(branch(leaves, shared))]
}

function branch(leaves: readonly Leaf[], depth: number): Rlp {
  const children: Rlp[] = []
  let start = 0
  for (const nibble of NIBBLES) {
    let end = start
    while (leaves[end]?.key[depth] === nibble) end += 1
    children.push(end === start ? EMPTY : reference(trieNode(leaves.slice(start, end), depth + 1)))
    start = end
  }
  return [...children, EMPTY]
}

function reference(node: Rlp): Rlp {
  const encoded = toRlp(node)
  return encoded.length < HASHED_BYTES_MIN ? node : keccak256(encoded)
}

/** Two nibbles to a byte, behind a flag for leaves and for an odd length. */
function compactPath(nibbles: string, isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0
  const isOdd = nibbles.length % 2 === 1
  return Buffer.from(`${isOdd ? `${flag + 1}` : `${flag}0`}${nibbles}`, 'hex')
}

const RLP_BYTES = 0x80
const RLP_LIST = 0xc0
/** Up to this many bytes a length is part of the first byte; beyond, it has bytes of its own. */
const RLP_SHORT_MAX = 55

function toRlp(item: Rlp): Buffer {
  if (item instanceof Uint8Array)
    return item.length === 1 && (item[0] ?? 0) < RLP_BYTES
      ? Buffer.from(item)
      : Buffer.concat([rlpHead(RLP_BYTES, item.length), item])
  const items = item.map(toRlp)
  const length = items.reduce((sum, bytes) => sum + bytes.length, 0)
  return Buffer.concat([rlpHead(RLP_LIST, length), ...items])
}

function rlpHead(kind: number, length: number): Uint8Array {
  if (length <= RLP_SHORT_MAX) return Uint8Array.of(kind + length)
  const bytes = quantityBytes(length)
  return Uint8Array.of(kind + RLP_SHORT_MAX + bytes.length, ...bytes)
}
