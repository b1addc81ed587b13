// A venue with one market, built without a server, and its signer.
import assert from 'node:assert/strict'
import type { Market, VenueInfo } from '../generated/shapes.ts'
import { InputError } from '../src/input.ts'
import { type NewOrder, type Signer, SigningVenue, type TypedData } from '../src/signing/index.ts'

export const ENGINE = `0x${'e1'.repeat(20)}` as const
export const TOKEN = `0x${'aa'.repeat(20)}` as const
export const ACCOUNT = `0x${'ac'.repeat(20)}` as const
export const HASH = `0x${'12'.repeat(32)}` as const
/** A throwaway key: no error may repeat it. */
export const SECRET = `0x${'5e'.repeat(32)}`
export const SOON = Math.floor(Date.now() / 1000) + 3600

export const market = {
  instrument_name: 'ETH-PERP',
  instrument_id: `${ENGINE}00000001`,
  ...{ price_step: '0.01', amount_step: '0.0001', base_decimals: 18, quote_decimals: 18 },
} as unknown as Market
export const info = {
  network: { chain_id: 31337, fee_floor_wei: '0', tip_wei: '1' },
  contracts: { perps: { address: ENGINE }, accounts: { address: TOKEN } },
  typed_data: { api: { Register: { domain: { name: 'v', version: '1', chainId: 31337 } } } },
} as unknown as VenueInfo
export const venue = new SigningVenue(info, [market])

export const signed: TypedData[] = []
export const signer: Signer = {
  address: ACCOUNT,
  signTypedData: async (data) => {
    signed.push(data)
    return `0x${'11'.repeat(64)}1b`
  },
}
export const order: NewOrder = { market: 'ETH-PERP', side: 'buy', amount: '0.5', price: '2900' }

/** Returns the error of a call, thrown or rejected. */
export async function faultOf(call: () => unknown): Promise<InputError> {
  try {
    await call()
  } catch (error) {
    assert.ok(error instanceof InputError, `an InputError, and not ${error}`)
    assert.ok(!error.message.includes(SECRET.slice(2, 20)), 'it repeats no secret')
    return error
  }
  throw new Error('nothing was thrown')
}
