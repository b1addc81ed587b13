// Finds the account that belongs to a wallet, and reads its records.
import { historyUnavailable } from '../http/refusals.ts'
import type { OwnedReads, ReadOptions } from './owned-reads.ts'
import type { Wallets } from './wallets.ts'

/** A wallet and its account number on the chain; undefined while the chain has none for it. */
export type Owner = Readonly<{ wallet: string; account: number | undefined }>

/** Returns the owner with this wallet. Refuses with 503 while the database does not answer. */
export async function ownerOf(wallets: Wallets, wallet: string): Promise<Owner> {
  const account = await wallets.accountNumber(wallet).catch((cause: unknown) => {
    throw historyUnavailable(cause)
  })
  return { wallet, account }
}

export type OwnerDeps = Readonly<{ wallets: Wallets; owned: OwnedReads }>

/**
 * Returns the result of `look` for the owner with this wallet, in a turn in which the model holds
 * all its records, at its head. Refuses with 503 while the database does not answer.
 */
export async function loadOwner<T>(
  { wallets, owned }: OwnerDeps,
  wallet: string,
  look: (owner: Owner) => T,
  options?: ReadOptions,
): Promise<T> {
  const owner = await ownerOf(wallets, wallet)
  return owned.look(owner, () => look(owner), options)
}
