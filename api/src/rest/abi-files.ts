// The ABIs that are served, read from the package of the contracts.
import { readFile } from 'node:fs/promises'

/** The file of each ABI. The ABIs of perps and spot include the contracts they delegate to. */
const FILES = {
  accounts: import.meta.resolve('@openvenue/contracts/abi/accounts.json'),
  spot: import.meta.resolve('@openvenue/contracts/abi/spot.json'),
  perps: import.meta.resolve('@openvenue/contracts/abi/perps.json'),
  lens: import.meta.resolve('@openvenue/contracts/abi/lens.json'),
  'push-oracle': import.meta.resolve('@openvenue/contracts/abi/push-oracle.json'),
  'chainlink-source': import.meta.resolve('@openvenue/contracts/abi/chainlink-source.json'),
  'pyth-source': import.meta.resolve('@openvenue/contracts/abi/pyth-source.json'),
  governance: import.meta.resolve('@openvenue/contracts/abi/governance.json'),
  treasury: import.meta.resolve('@openvenue/contracts/abi/treasury.json'),
  erc20: import.meta.resolve('@openvenue/contracts/abi/erc20.json'),
} as const

export type AbiName = keyof typeof FILES
export const ABI_NAMES = Object.keys(FILES) as readonly AbiName[]

/** The path of an ABI. */
export const abiUrl = (name: AbiName): string => `/abi/${abiFile(name)}`
/** The name of its file. */
export const abiFile = (name: AbiName): string => `${name}.json`

export const readAbi = (name: AbiName): Promise<Buffer> => readFile(new URL(FILES[name]))
