// Says in words what is about to be signed, before anybody signs it.
import type { TypedData } from 'openvenue/signing'
import type { Words } from './wallet-protocol.ts'

const TITLES: Readonly<Record<string, string>> = {
  Register: 'Make an API key for your account',
  RegisterFor: 'Make an API key for your sub-account',
  RegisterKey: 'Let a signing key place and cancel orders for you. It cannot withdraw.',
  AllowCanceller: 'Let the venue cancel your orders, and nothing else',
  Permit: 'Let the venue take tokens of a deposit',
}
const NAMES: Readonly<Record<string, string>> = {
  account: 'Account',
  key: 'Signing key',
  expiry: 'Until',
  canceller: 'Who may cancel',
  verifyingContract: 'Contract',
}
const MS_PER_SECOND = 1000

/** Returns every member that is signed, none left out, with the contract that will read it. */
export function signingWords({ domain, primaryType, message }: TypedData): Words {
  const members = Object.entries(message).map(([name, value]) => line(name, `${value}`))
  const { verifyingContract } = domain
  const contract =
    verifyingContract === undefined ? [] : [line('verifyingContract', verifyingContract)]
  return {
    title: TITLES[primaryType] ?? primaryType,
    lines: [...members, ...contract, ['Chain', `${domain.chainId}`]],
  }
}

const line = (name: string, value: string): readonly [string, string] => [
  NAMES[name] ?? name,
  name === 'expiry' ? dateText(value) : value,
]

const dateText = (seconds: string): string =>
  new Date(Number(seconds) * MS_PER_SECOND).toISOString().replace('T', ' ').replace('.000Z', ' UTC')
