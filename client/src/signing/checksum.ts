// Verifies address checksums. In a file of its own, since it depends on a hash function.
import { getAddress, isAddress } from 'viem'
import type { Check } from '../input.ts'
import { isHexAddress } from './checks.ts'

/** Accepts an address in lower case or with an EIP-55 checksum. */
export const isChecked: Check = (value, name) => {
  const fault = isHexAddress(value, name)
  if (fault !== undefined || isAddress(value as string)) return fault
  return ['an address with a valid checksum', getAddress(`${value}`.toLowerCase() as `0x${string}`)]
}
