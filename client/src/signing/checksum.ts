// Holds addresses against their checksum: a file of its own, since it needs a hash function.
import { getAddress, isAddress } from 'viem'
import type { Check } from '../input.ts'
import { isHexAddress } from './checks.ts'

/** An address: in lower case, or with the checksum of EIP-55. */
export const isChecked: Check = (value, name) => {
  const fault = isHexAddress(value, name)
  if (fault !== undefined || isAddress(value as string)) return fault
  return [
    'an address with the right checksum',
    getAddress(`${value}`.toLowerCase() as `0x${string}`),
  ]
}
