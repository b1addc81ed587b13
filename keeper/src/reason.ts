// Decodes the reason of a refusal by a contract: the name of its error.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { CallAnswer } from '@openvenue/runtime/node'
import { type Abi, decodeErrorResult, type Hex } from 'viem'

/** `name` is the contract's error, or the node's message when there is none. */
export type Reason = Readonly<{ name: string; args: readonly unknown[] }>

const ERRORS: Abi = ([...perpsAbi, ...spotAbi, ...pushOracleAbi, ...accountsAbi] as Abi).filter(
  ({ type }) => type === 'error',
)

/** Returns the reason in the data of a revert; `words` when it contains no known error. */
export function decodeReason(data: Hex | undefined, words: string): Reason {
  if (data === undefined || data === '0x') return { name: words, args: [] }
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS, data })
    return { name: errorName, args: (args ?? []) as readonly unknown[] }
  } catch {
    // An unknown error: only the selector is known.
    return { name: `${words} (${data.slice(0, 10)})`, args: [] }
  }
}

/** Returns why `answer` is a refusal; undefined when it is a result. */
export const decodeRefusal = (answer: CallAnswer): Reason | undefined =>
  'result' in answer ? undefined : decodeReason(answer.data, answer.refused)

/** Returns the reason for display: `PokeTooSoon(1700000060)`. */
export const reasonText = ({ name, args }: Reason): string =>
  args.length === 0 ? name : `${name}(${args.map(String).join(', ')})`
