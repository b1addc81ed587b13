// A model over a scenario's blocks, without a server: for tests of order checks before sending; and
// orders signed by test keys.
import type { VenueBlock } from '@openvenue/core/events'
import { emptyState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { type Hex, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { VenueModel } from '../src/model/venue-model.ts'

/** The domain of the engines' vectors (`contracts/test/signed/Signatures.t.sol`). */
export const ORDER_SETTINGS = { chainId: 5_042_002, domainName: 'openvenue' } as const

/** Returns a model that has followed `blocks`, and a function to follow more. */
export function orderModel(blocks: readonly VenueBlock[]): Readonly<{
  model: VenueModel
  applyBlocks: (more: readonly VenueBlock[]) => void
}> {
  const model = new VenueModel()
  const state = emptyState()
  model.load({
    seq: 0,
    state: emptyState(),
    trades: new Map(),
    candles: new Map(),
    priceMinutes: new Map(),
    settlements: new Map(),
    poolHours: new Map(),
  })
  const applyBlocks = (more: readonly VenueBlock[]) => {
    for (const block of more)
      model.apply({ seq: model.seq + 1, kind: 'apply', ...applyBlock(state, block) })
  }
  applyBlocks(blocks)
  return { model, applyBlocks }
}

/** Returns the key with a number: the same one in each run. */
export const orderKey = (number: bigint): PrivateKeyAccount =>
  privateKeyToAccount(toHex(number, { size: 32 }))

/** Signs a digest, as a wallet signs the typed data with that hash. */
export const signDigest = (key: PrivateKeyAccount, digest: string): Promise<Hex> =>
  key.sign({ hash: digest as Hex })
