// GET /info: the entry point for programs in any language.
import { Info, type InfoContract, type InfoMessage, infoUnits } from '@openvenue/wire/info'
import {
  ACCOUNT_MESSAGES,
  API_MESSAGES,
  ENGINE_MESSAGES,
  type Member,
} from '@openvenue/wire/signed-messages'
import { tokenDeposits } from '../account/deposit-limits.ts'
import { answer, answers } from '../http/answer.ts'
import { cachedBody } from '../http/cached-body.ts'
import { type ContractDomain, type Domain, domainMembers } from '../identity/typed-data.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { type AbiName, abiUrl } from './abi-files.ts'
import {
  CONTRACTS,
  knownContracts,
  type PublishedContracts,
  type PublishedVenue,
} from './published.ts'
import { type Parts, type Routes, TAGS } from './route.ts'

type InfoParts = 'model' | 'options' | 'settings' | 'published'

/** Paths of further documents. */
const DOCUMENTS: Info['documents'] = {
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  docs: '/docs',
  sockets: '/docs/sockets',
  errors: '/errors',
  llms: '/llms.txt',
  arazzo: '/arazzo.json',
  postman: '/postman.json',
  relay: '/relay',
}
const SOCKETS: Info['sockets'] = { websocket: '/ws', socket_io: '/socket.io/' }

export const infoRoutes: Routes<InfoParts> = (host, deps) => {
  const { model } = deps
  const read = cachedBody(
    () => `${model.versions.listing} ${model.versions.tokens}`,
    () => buildInfo(deps),
  )
  const summary = 'Entry point for programs: network, contracts, typed data, tokens'
  host.get(
    '/info',
    { schema: { tags: TAGS.service, summary, response: answers(Info) } },
    (request, reply) => answer(request, reply, { read, head: () => model.head }),
  )
}

function buildInfo(deps: Parts<InfoParts>): Info {
  const { model, options, settings, published } = deps
  const contracts = knownContracts(deps)
  const { gas } = published
  return {
    name: 'openvenue',
    version: options.version,
    network: {
      name: options.environment,
      chain_id: settings.chainId,
      trading: settings.trading,
      rpc_urls: [...published.rpcUrls],
      explorer_url: published.explorerUrl ?? null,
      faucet_url: gas.faucetUrl ?? null,
      currency: { ...gas.currency },
      fee_floor_wei: String(gas.feeFloorWei),
      tip_wei: String(gas.tipWei),
    },
    contracts: describeContracts(contracts, published),
    typed_data: describeMessages(contracts, deps),
    tokens: listTokens(model),
    units: infoUnits(),
    sockets: SOCKETS,
    documents: DOCUMENTS,
  }
}

function describeContracts(
  contracts: PublishedContracts,
  published: PublishedVenue,
): Info['contracts'] {
  const describe = (abi: AbiName, address: string): InfoContract => ({
    address,
    abi,
    abi_url: abiUrl(abi),
    from_block: published.startBlock ?? null,
  })
  const described = CONTRACTS.flatMap((name) => {
    const address = contracts[name]
    return address === undefined ? [] : [[name, describe(name, address)] as const]
  })
  return {
    ...Object.fromEntries(described),
    oracles: published.oracles.map((oracle) => describe('push-oracle', oracle)),
  }
}

/** The use of each message's signature, and its signer. */
const USES: Readonly<Record<string, string>> = {
  Register: 'account_signature of POST /register, by the wallet',
  RegisterFor: 'account_signature of POST /register for a sub-account, by its owner',
  SignKey: 'signing_key_signature of POST /register, by the signing key',
  RegisterKey: 'chain_account_signature of POST /register, or Accounts.register, by the wallet',
  AcceptKey: 'chain_signing_key_signature of POST /register, or Accounts.register, by the key',
  AllowCanceller: 'Accounts.allowCancellerSigned, by the wallet or a signing key of it',
  Order: 'placeSigned of the engine, by the wallet or a signing key of it',
  Cancel: 'cancelSigned of the engine, by the wallet or a signing key of it',
  CancelAll: 'cancelAllSigned of the engine, by the wallet or a signing key of it',
  Burn: 'burnSigned of the engine, by the wallet or a signing key of it',
}

function describeMessages(
  { accounts, spot, perps }: PublishedContracts,
  { settings }: Parts<InfoParts>,
): Info['typed_data'] {
  const domain: Domain = { name: settings.domainName, version: '1', chainId: settings.chainId }
  const at = (verifyingContract: string): ContractDomain => ({ ...domain, verifyingContract })
  return {
    api: inDomain(domain, API_MESSAGES),
    ...(accounts === undefined ? {} : { accounts: inDomain(at(accounts), ACCOUNT_MESSAGES) }),
    ...(spot === undefined ? {} : { spot: inDomain(at(spot), ENGINE_MESSAGES) }),
    ...(perps === undefined ? {} : { perps: inDomain(at(perps), ENGINE_MESSAGES) }),
  }
}

/**
 * Returns each message as libraries take it, without its values. The types omit EIP712Domain:
 * ethers rejects it, viem and eth-account do not need it, but `eth_signTypedData_v4` does.
 */
const inDomain = <T extends string>(
  domain: Domain | ContractDomain,
  messages: Readonly<Record<T, readonly Member[]>>,
) =>
  Object.fromEntries(
    Object.entries<readonly Member[]>(messages).map(([primaryType, members]) => [
      primaryType,
      {
        domain,
        types: { [primaryType]: members },
        domain_types: domainMembers(domain),
        primaryType,
        use: USES[primaryType],
      },
    ]),
  ) as Record<T, InfoMessage>

const listTokens = (model: VenueModel): Info['tokens'] =>
  [...model.tokens]
    .sort((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0))
    .map((token) => ({
      address: token.address,
      symbol: token.symbol,
      name: token.name,
      decimals: token.decimals,
      deposits: tokenDeposits(model, token),
      abi_url: abiUrl('erc20'),
    }))
