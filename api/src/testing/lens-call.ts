// The chain's door as a lens behind it answers, from a state of our own: for tests.
import { accountMargin } from '@openvenue/core/margin'
import type { VenueState } from '@openvenue/core/state'
import type { Story } from '@openvenue/core/story/story'
import type { Store } from '@openvenue/store/store'
import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem'
import type { EthCall } from '../account/deps.ts'
import type { AccountSettings } from '../account/settings.ts'
import { type AccountApp, accountApp } from './account-app.ts'

export const LENS = '0x7000000000000000000000000000000000000071'

const ABI = parseAbi([
  'struct PerpAccount { int256 collateral; int256 equity; uint256 initialMargin; uint256 maintenanceMargin; uint256 available; uint256 withdrawable; }',
  'function perpAccount(address engine, uint40 account) view returns (PerpAccount)',
])

export type LensCall = Readonly<{
  call: EthCall
  /** Every call so far: whom it asked about, and of which block. */
  asked: readonly Readonly<{ engine: string; account: number; blockHash: string }>[]
  /** From now on calls fail, or work again. */
  setBroken: (isBroken: boolean) => void
  /** From now on calls wait until the function that this returns is called. */
  hold: () => () => void
}>

/** Returns a door behind which `stateOf()` is the chain's head, and margins are core's. */
export function lensCall(stateOf: () => VenueState): LensCall {
  const asked: { engine: string; account: number; blockHash: string }[] = []
  let isBroken = false
  let gate: Promise<void> = Promise.resolve()
  return {
    asked,
    setBroken: (value) => {
      isBroken = value
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    call: async ({ to, data }, blockHash = '') => {
      const { args } = decodeFunctionData({ abi: ABI, data: data as `0x${string}` })
      const [engine, account] = [args[0].toLowerCase(), args[1]]
      asked.push({ engine, account, blockHash })
      const answer = answerOf(stateOf(), engine, account)
      await gate
      if (isBroken || to !== LENS) throw new Error('the node does not answer')
      return answer
    },
  }
}

/** What the lens would say: `Lens.sol`, `perpAccount`, without its withdrawal limits. */
function answerOf(state: VenueState, engine: string, account: number): string {
  const seconds = state.head?.seconds ?? 0
  const margin = accountMargin(state, { engine, account, seconds })
  if (margin === undefined) throw new Error('execution reverted')
  const { collateral, equity, initial, maintenance } = margin
  const available = equity > initial ? equity - initial : 0n
  const withdrawable = available < collateral ? available : collateral > 0n ? collateral : 0n
  const result = { collateral, equity, available, withdrawable }
  return encodeFunctionResult({
    abi: ABI,
    result: { ...result, initialMargin: initial, maintenanceMargin: maintenance },
  })
}

type Act = (venue: AccountApp, lens: LensCall) => Promise<void>

/** Runs `act` on a server that has followed `story`, at a chain that is where the server is. */
export async function toldWithLens(
  store: Store,
  story: Story,
  act: Act,
  settings: Partial<AccountSettings> = {},
): Promise<void> {
  const lens = lensCall(() => venue.model.state)
  const venue: AccountApp = await accountApp(store, story, {
    call: lens.call,
    settings: { lens: LENS, ...settings },
  })
  try {
    await act(venue, lens)
  } finally {
    await venue.close()
  }
}
