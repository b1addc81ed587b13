// Generates the ERC-7730 descriptors, with which wallets show the venue's messages and calls.
// Labels come from the page, members from the contracts.
import { readFileSync } from 'node:fs'
import {
  ACCOUNT_MESSAGES,
  API_MESSAGES,
  ENGINE_MESSAGES,
  type Member,
} from '@openvenue/wire/signed-messages'
import {
  CALL_TITLES,
  type CallName,
  DATES,
  MEMBER_VALUES,
  MESSAGE_TITLES,
  memberName,
} from '../src/features/wallet/worker/signing-words.ts'

const SCHEMA = 'https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json'
const DOMAIN = { name: 'openvenue', version: '1' }

type ContractDeployment = Readonly<{ chainId: number; address: string }>
/** Contracts of a venue; the tokens are those that it accepts. */
export type Deployments = Readonly<
  Record<'accounts' | 'engines' | 'tokens', readonly ContractDeployment[]>
>
export const NOWHERE: Deployments = { accounts: [], engines: [], tokens: [] }

export type Field = Readonly<{
  path: string
  label: string
  format: string
  params?: Readonly<Record<string, unknown>>
  visible?: 'never' | 'optional'
}>
type Format = Readonly<{ intent: string; fields: readonly Field[] }>
export type Descriptor = Readonly<{
  $schema: string
  context: Readonly<{ $id: string; contract?: unknown; eip712?: unknown }>
  metadata: Readonly<Record<string, unknown>>
  display: Readonly<{ formats: Readonly<Record<string, Format>> }>
}>
type MessageTypes = Readonly<Record<string, readonly Member[]>>
type AbiInput = Member & Readonly<{ components?: readonly Member[] }>
type AbiEntry = Readonly<{ type: string; name: string; inputs: readonly AbiInput[] }>

/** Calls that only programs send, not the page. */
const OTHER_TITLES = { depositWithPermit: 'Deposit to your account' } as const
const TITLES = { ...CALL_TITLES, ...OTHER_TITLES }
/** The combined call consists of two calls to a wallet. */
type DescribedCall = Exclude<CallName, 'approveAndDeposit'> | keyof typeof OTHER_TITLES

const CALLS: Readonly<Record<keyof Deployments, readonly DescribedCall[]>> = {
  tokens: ['approve'],
  engines: [
    ...(['deposit', 'depositWithPermit', 'withdraw', 'transfer', 'collect'] as const),
    ...(['setLeverage', 'cancelAll', 'place'] as const),
  ],
  accounts: ['openSub', 'revoke', 'allowCanceller', 'revokeCanceller'],
}
const ABIS = { tokens: ['erc20'], engines: ['spot', 'perps'], accounts: ['accounts'] } as const
/** Parts of a permit's signature, which mean nothing to a reader. */
const UNSHOWN: ReadonlySet<string> = new Set(['v', 'r', 's'])
/** Members that only make messages distinct. */
const OPTIONAL: ReadonlySet<string> = new Set(['salt', 'word', 'mask'])

/** Returns each descriptor by file name. */
export function makeDescriptors(at: Deployments = NOWHERE): Readonly<Record<string, Descriptor>> {
  const messages = (id: string, eip712: object, all: MessageTypes): Descriptor => ({
    ...head(id, { eip712: { domain: DOMAIN, ...eip712 } }),
    display: { formats: Object.fromEntries(Object.entries(all).map(messageFormat)) },
  })
  const calls = (of: keyof Deployments): Descriptor => ({
    ...head(`openvenue ${of}`, { contract: { deployments: at[of] } }),
    display: { formats: Object.fromEntries(CALLS[of].map((name) => callFormat(of, name))) },
  })
  return {
    'eip712-openvenue-api.json': messages('openvenue API', {}, API_MESSAGES),
    'eip712-openvenue-accounts.json': messages(
      'openvenue accounts',
      { deployments: at.accounts },
      ACCOUNT_MESSAGES,
    ),
    'eip712-openvenue-engines.json': messages(
      'openvenue engines',
      { deployments: at.engines },
      ENGINE_MESSAGES,
    ),
    'calldata-openvenue-tokens.json': calls('tokens'),
    'calldata-openvenue-engines.json': calls('engines'),
    'calldata-openvenue-accounts.json': calls('accounts'),
  }
}

const head = ($id: string, context: Readonly<{ contract?: unknown; eip712?: unknown }>) => ({
  $schema: SCHEMA,
  context: { $id, ...context },
  metadata: { owner: 'openvenue', enums: MEMBER_VALUES },
})

function messageFormat([name, members]: readonly [string, readonly Member[]]) {
  const key = `${name}(${members.map((one) => `${one.type} ${one.name}`).join(',')})`
  const fields = members.map((one) => field(one, name, undefined))
  return [key, { intent: MESSAGE_TITLES[name] ?? name, fields }] as const
}

function callFormat(of: keyof Deployments, name: DescribedCall) {
  const entry = ABIS[of]
    .flatMap(readAbi)
    .find((one) => one.type === 'function' && one.name === name)
  if (entry === undefined) throw new Error(`no contract has ${name}`)
  const { inputs } = entry
  const token = of === 'tokens' ? '@.to' : 'token'
  const fields = inputs.flatMap((one) =>
    (one.components ?? [one]).map((member) => {
      const shown = field(member, name, token)
      return one.components === undefined ? shown : { ...shown, path: `${one.name}.${shown.path}` }
    }),
  )
  return [`${name}(${membersText(inputs)})`, { intent: TITLES[name], fields }] as const
}

/** Writes members with their names, as in a function's signature. */
const membersText = (inputs: readonly AbiInput[]): string =>
  inputs
    .map(({ type, name, components }) =>
      components === undefined ? `${type} ${name}` : `(${membersText(components)}) ${name}`,
    )
    .join(', ')

const readAbi = (name: string): AbiEntry[] =>
  JSON.parse(readFileSync(new URL(`../../contracts/abi/${name}.json`, import.meta.url), 'utf8'))

/** Returns the display field of a member; `token` is the path of the token of amounts. */
function field({ name, type }: Member, of: string, token: string | undefined): Field {
  const shown = { path: type.endsWith('[]') ? `${name}.[]` : name, label: memberName(name, of) }
  if (UNSHOWN.has(name)) return { ...shown, format: 'raw', visible: 'never' }
  if (OPTIONAL.has(name)) return { ...shown, format: 'raw', visible: 'optional' }
  if (DATES.has(name)) return { ...shown, format: 'date', params: { encoding: 'timestamp' } }
  if (name in MEMBER_VALUES)
    return { ...shown, format: 'enum', params: { $ref: `$.metadata.enums.${name}` } }
  if (name === 'token') return { ...shown, format: 'tokenTicker' }
  if (type === 'address') return { ...shown, format: 'addressName' }
  if (name === 'amount' && token !== undefined)
    return { ...shown, format: 'tokenAmount', params: { tokenPath: token } }
  return { ...shown, format: 'raw' }
}
