// Encodes contract calls that only a wallet or a signing key can send.
import type { UnsignedTransaction } from '../http/refusals.ts'

/** First four bytes of the hash of each signature. */
export const SELECTORS = {
  'setLeverage(uint32,uint16)': '0x3aa4f3af',
  'allowCanceller(address,address,uint256)': '0xa549307f',
  'revokeCanceller(address,address)': '0xf2c02c49',
  'openSub(uint32)': '0x51e514af',
} as const

const WORD_DIGITS = 64

/** Returns a call of `to`; `words` are addresses and unsigned integers, one word each. */
export const unsignedCall = (
  to: string,
  [signature, words]: readonly [keyof typeof SELECTORS, readonly (string | bigint | number)[]],
  chainId: number,
): UnsignedTransaction => ({
  to,
  data: SELECTORS[signature] + words.map(word).join(''),
  value: '0',
  chain_id: chainId,
})

const word = (value: string | bigint | number): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(WORD_DIGITS, '0')
