// Finds the account that belongs to a wallet, and looks at what it owns.
import { historyUnavailable } from '../http/refusals.ts'
import type { LookOptions, OwnedReads } from './owned-reads.ts'
import type { Wallets } from './wallets.ts'

/** A wallet, and its number on the chain; undefined while the chain has none for it. */
export type Owner = Readonly<{ wallet: string; account: number | undefined }>

/** Returns the owner with that wallet. Refuses with 503 while the database does not answer. */
export async function ownerOf(wallets: Wallets, wallet: string): Promise<Owner> {
  const account = await wallets.accountNumber(wallet).catch((cause: unknown) => {
    throw historyUnavailable(cause)
  })
  return { wallet, account }
}

export type OwnerDeps = Readonly<{ wallets: Wallets; owned: OwnedReads }>

/**
 * Returns what `look` sees of the owner with that wallet, in a turn in which the model has all that
 * it owns, at its head. Refuses with 503 while the database does not answer.
 */
export async function lookAtOwner<T>(
  { wallets, owned }: OwnerDeps,
  wallet: string,
  look: (owner: Owner) => T,
  options?: LookOptions,
): Promise<T> {
  const owner = await ownerOf(wallets, wallet)
  return owned.look(owner, () => look(owner), options)
}
