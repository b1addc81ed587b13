// Entry point for programs in any language: the network, the contracts and the messages to sign.
import Type, { type Static, type TSchema } from 'typebox'
import { Address, decimal, InstrumentType, named, nullable, strict } from './field.ts'
import { TradingField } from './trading.ts'

const Wei = (description: string) => Type.String({ pattern: '^(0|[1-9][0-9]*)$', description })
const Url = (description: string) => Type.String({ description })

export const InfoContract = named(
  'InfoContract',
  {
    address: Address('Address of the contract, including proxies: the only one that clients call.'),
    abi: Type.String({ description: 'Name of its ABI.' }),
    abi_url: Url('Path of its ABI, a JSON array.'),
    from_block: nullable(
      Type.Integer({
        description: 'Earlier blocks have no logs of it. Null if this node does not know.',
      }),
    ),
  },
  'A contract of the venue.',
)
export type InfoContract = Static<typeof InfoContract>

const Domain = named('InfoDomain', {
  name: Type.String(),
  version: Type.String(),
  chainId: Type.Integer(),
  verifyingContract: Type.Optional(Address('The verifying contract; absent for the API.')),
})
const Member = named('InfoMember', { name: Type.String(), type: Type.String() })

export const InfoMessage = named(
  'InfoMessage',
  {
    domain: Domain,
    types: Type.Record(Type.String(), Type.Array(Member), {
      description: 'The message, with its members in hashing order.',
    }),
    domain_types: Type.Array(Member, {
      description: 'Members of `domain`: `EIP712Domain` among the types of eth_signTypedData_v4.',
    }),
    primaryType: Type.String(),
    use: Type.String({ description: 'Signer, and where to send the signature.' }),
  },
  'Together with a `message`, the arguments of signTypedData in ethers, viem and eth-account.',
)
export type InfoMessage = Static<typeof InfoMessage>

const messages = <T extends string>(names: readonly T[], description: string) =>
  strict(
    Object.fromEntries(names.map((name) => [name, InfoMessage])) as Record<T, typeof InfoMessage>,
    description,
  )
const ENGINE_MESSAGES = ['Order', 'Cancel', 'CancelAll', 'Burn'] as const
const ABSENT = 'Absent if this node does not know the contract.'
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

export const InfoDeposits = named(
  'InfoDeposits',
  {
    instrument_type: InstrumentType,
    contract: Address('The engine that receives the deposit.'),
    cap: nullable(decimal('Maximum amount of the token at the engine after a deposit.')),
    left: nullable(
      decimal(
        'Amount that can still be deposited. Tokens sent to the contract without a deposit use up room as well, and are not deducted here.',
      ),
    ),
    account_cap: nullable(
      decimal('Maximum balance of an account after its deposit; SPOT: without its orders.'),
    ),
  },
  'Caps on deposits of the token at one engine; null for none.',
)

export type InfoDeposits = Static<typeof InfoDeposits>

const InfoToken = named(
  'InfoToken',
  {
    address: Address('The contract.'),
    symbol: Type.String(),
    name: Type.String(),
    decimals: Type.Integer({ minimum: 0 }),
    deposits: Type.Array(InfoDeposits, {
      description: 'Deposits by engine, present after the first deposit or cap.',
    }),
    abi_url: Url('Path of the ABI shared by all ERC-20 tokens.'),
  },
  'A token that is traded or serves as collateral.',
)

/** Units of the integers in logs and calls. */
const UNITS = {
  tick: 'A price in logs: price = tick * price_step of GET /markets.',
  lots: 'An amount in logs: amount = lots * amount_step of GET /markets.',
  limitPrice: 'A price in calls and messages: price * 10^quote_decimals of GET /markets.',
  amount: 'An amount in calls and messages: amount * 10^base_decimals of GET /markets.',
  market:
    'Engines number their markets from 1: instrument_id of GET /markets is the address of the ' +
    'engine (20 bytes) and the number (4 bytes).',
  token: 'An amount of a token in calls: amount * 10^decimals of the token.',
  time: 'Seconds since 1970 in contracts and messages; REST states the unit of each field.',
} as const

export const Info = named(
  'VenueInfo',
  {
    name: Type.Literal('openvenue'),
    version: Type.String({ description: 'Version of the build.' }),
    network: strict({
      name: Type.String({ description: 'Name of the network.' }),
      chain_id: Type.Integer(),
      trading: TradingField,
      rpc_urls: Type.Array(Type.String(), {
        description: 'Public nodes of the chain; empty if the operator names none.',
      }),
      explorer_url: nullable(Url('Block explorer; null where there is none.')),
      faucet_url: nullable(Url('Where to obtain test funds; null if there is none.')),
      currency: strict(
        { symbol: Type.String(), decimals: Type.Integer({ minimum: 0 }) },
        'Currency in which gas is paid.',
      ),
      fee_floor_wei: Wei('Minimum fee per gas; transactions below it are rejected.'),
      tip_wei: Wei('Tip on top of the base fee.'),
    }),
    contracts: strict(
      {
        accounts: optional(InfoContract),
        spot: optional(InfoContract),
        perps: optional(InfoContract),
        lens: optional(InfoContract),
        governance: optional(InfoContract),
        treasury: optional(InfoContract),
        oracles: Type.Array(InfoContract, {
          description: 'Oracles read by the engines; empty if this node does not know them.',
        }),
      },
      `Contracts that clients call. A member is absent if the venue has none, or if this node does not know it.`,
    ),
    typed_data: strict({
      api: messages(
        ['Register', 'RegisterFor', 'SignKey'],
        'Signed for POST /register: the domain has no contract.',
      ),
      accounts: optional(
        messages(
          ['RegisterKey', 'AcceptKey', 'AllowCanceller'],
          `Signed for the accounts contract. ${ABSENT}`,
        ),
      ),
      spot: optional(messages(ENGINE_MESSAGES, `Signed for the spot engine. ${ABSENT}`)),
      perps: optional(messages(ENGINE_MESSAGES, `Signed for the perpetual engine. ${ABSENT}`)),
    }),
    tokens: Type.Array(InfoToken, { description: 'Tokens known to the indexer.' }),
    units: strict(
      Object.fromEntries(Object.keys(UNITS).map((name) => [name, Type.String()])) as Record<
        keyof typeof UNITS,
        ReturnType<typeof Type.String>
      >,
      "Units of the contracts' integers.",
    ),
    sockets: strict({
      websocket: Url('Path of plain WebSocket.'),
      socket_io: Url('Path of Socket.IO.'),
    }),
    documents: strict({
      openapi: Url('Path of the description of REST.'),
      asyncapi: Url('Path of the description of the sockets.'),
      docs: Url('Path of the page about REST.'),
      sockets: Url('Path of the page about the sockets.'),
      errors: Url('Path of the catalogue of error codes.'),
      llms: Url('Path of the list of all pages as Markdown, for language models (llms.txt).'),
      arazzo: Url('Path of the workflow from a wallet to a fill (Arazzo).'),
      postman: Url('Path of a collection of all requests (Postman).'),
      relay: Url("Path of the relayer's rules and status, with the location of the ledger."),
    }),
  },
  'Everything that a program in any language needs to start. Paths are relative to the URL of this host.',
)
export type Info = Static<typeof Info>

/** Returns `units` of the body. */
export const infoUnits = (): Info['units'] => ({ ...UNITS })

/** An item of an ABI, as the compiler emits it. */
export const AbiItems = Type.Array(
  Type.Object(
    { type: Type.String({ description: 'function, event, error, constructor or fallback.' }) },
    { additionalProperties: true },
  ),
  { description: 'Functions, events and errors of an address, as JSON.' },
)
