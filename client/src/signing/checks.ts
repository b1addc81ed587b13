// Checks of signed data and of signers, shared by all functions of `openvenue/signing`.
import { bits, type Check, checkValue, withFunctions } from '../input.ts'

/** Accepts the format of an address. `isChecked` also verifies the checksum. */
export const isHexAddress: Check = (value) =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
    ? undefined
    : '0x and 40 hex digits'

/** Accepts the id of an order or a digest. */
export const isHash: Check = (value) =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
    ? undefined
    : '0x and 64 hex digits'

/** Accepts an amount in raw units, a salt, or another value of one storage word. */
export const isWord: Check = /* @__PURE__ */ bits(256n)

const hasSign = /* @__PURE__ */ withFunctions(
  'a signer: an account of viem, or walletSigner(wallet, address)',
  'signTypedData',
)
/** Accepts a signer with an address. */
export const isSigner: Check = (value, name) => {
  const fault = hasSign(value, name)
  if (fault !== undefined) return fault
  checkValue(`${name}.address`, (value as Readonly<{ address?: unknown }>).address, isHexAddress)
  return undefined
}

const isVenue = /* @__PURE__ */ withFunctions(
  'a SigningVenue: await loadVenue(rest)',
  'market',
  'domainOf',
)

/** Throws an InputError unless these are a venue and signers. */
export function checkParties(venue: unknown, signers: Readonly<Record<string, unknown>>): void {
  checkValue('venue', venue, isVenue)
  for (const [name, signer] of Object.entries(signers)) checkValue(name, signer, isSigner)
}
