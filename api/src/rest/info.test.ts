// GET /info: published facts, unknown facts, and facts that must never be published.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { NETWORKS } from '@openvenue/core/networks'
import { TOKENS } from '@openvenue/core/test/scenario/listing'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { Info } from '@openvenue/wire/info'
import { Value } from 'typebox/value'
import { hashTypedData, recoverAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { funded } from '../../test/funded.ts'
import { BROKEN_ACCOUNTS, scenarioNode } from '../../test/scenario-node.ts'
import {
  acceptKeyData,
  registerData,
  registerForData,
  registerKeyData,
  signKeyData,
} from '../identity/typed-data.ts'
import { ACCOUNT_SETTINGS } from '../node/account-settings.ts'
import type { ApiHostDeps } from '../node/api-host.ts'
import { parseConfig } from '../node/config.ts'
import { publishedDeployment, readPublished } from '../node/published-deployment.ts'
import { orderDigest } from '../orders/rules/signed-order.ts'
import type { PublishedVenue } from './published.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`
const DEPLOYED = {
  accounts: address('A'),
  spot: address('b'),
  perps: address('c'),
  oracles: [address('D')],
  lens: address('e'),
  governance: address('f'),
  startBlock: 7,
  tokens: { USDC: address('1') },
}
const PUBLISHED: PublishedVenue = {
  ...publishedDeployment(DEPLOYED),
  rpcUrls: ['https://rpc.example'],
  explorerUrl: 'https://explorer.example',
  gas: { ...NETWORKS.testnet, faucetUrl: undefined },
}

const infoOf = async (overrides: Partial<ApiHostDeps> = {}) => {
  const node = await scenarioNode(funded('ETH-USDC', 'ETH-PERP').blocks(), undefined, overrides)
  const { status, body, text } = await node.get('/info')
  const markets = (await node.get('/markets')).body as Record<string, string>[]
  const tokens = (await node.get('/assets')).body as Record<string, unknown>[]
  await node.close()
  assert.equal(status, 200)
  assert.ok(Value.Check(Info, body), text)
  return { info: body as Info, markets, tokens, text }
}

type Members = readonly Readonly<{ name: string; type: string }>[]
/** Returns a type as it is hashed. */
const encodeType = (name: string, members: Members = []) =>
  `${name}(${members.map(({ name, type }) => `${type} ${name}`).join(',')})`

describe('GET /info', () => {
  test('GET /info names network, nodes, explorer and contracts as the operator publishes them', async () => {
    const { info, tokens } = await infoOf({ published: PUBLISHED })
    assert.deepEqual(info.network, {
      name: 'test',
      chain_id: ACCOUNT_SETTINGS.chainId,
      trading: 'live',
      rpc_urls: ['https://rpc.example'],
      explorer_url: 'https://explorer.example',
      faucet_url: null,
      currency: { symbol: 'USDC', decimals: 18 },
      fee_floor_wei: '20000000000',
      tip_wei: '1000000000',
    })
    const described = (abi: string, digit: string) => ({
      address: address(digit),
      abi,
      abi_url: `/abi/${abi}.json`,
      from_block: 7,
    })
    assert.deepEqual(info.contracts, {
      accounts: described('accounts', 'a'),
      spot: described('spot', 'b'),
      perps: described('perps', 'c'),
      lens: described('lens', 'e'),
      governance: described('governance', 'f'),
      oracles: [described('push-oracle', 'd')],
    })
    assert.deepEqual(
      info.tokens.map(({ symbol, decimals, address: at }) => [symbol, decimals, at]),
      tokens.map(({ symbol, decimals, address: at }) => [symbol, decimals, at]),
    )
  })

  test('GET /info of a node that has only its database reports what that knows, and no more', async () => {
    const { info, markets } = await infoOf()
    const engineOf = (type: string) =>
      markets.find(({ instrument_type }) => instrument_type === type)?.instrument_id?.slice(0, 42)
    const { spot, perps, oracles, ...others } = info.contracts
    assert.deepEqual([spot?.address, spot?.from_block], [engineOf('SPOT'), null])
    assert.deepEqual([perps?.address, perps?.from_block], [engineOf('PERPETUAL'), null])
    assert.deepEqual([oracles, others], [[], {}])
    assert.deepEqual(info.network.rpc_urls, [])
    assert.equal(info.network.explorer_url, null)
    assert.deepEqual(Object.keys(info.typed_data), ['api', 'spot', 'perps'])
  })

  test('GET /info names the contract of accounts that keys are registered with', async () => {
    const settings = { ...ACCOUNT_SETTINGS, accountsContract: address('9') }
    const { info } = await infoOf({ accounts: { ...BROKEN_ACCOUNTS, settings } })
    assert.equal(info.contracts.accounts?.address, address('9'))
    const { RegisterKey } = info.typed_data.accounts ?? {}
    assert.equal(RegisterKey?.domain.verifyingContract, address('9'))
  })

  test('GET /info has the caps on deposits of a token at each engine, and what is left of them', async () => {
    const scenario = funded('ETH-USDC', 'ETH-PERP')
    const { model, get, applyBlocks, close } = await scenarioNode(scenario.blocks())
    const depositsOf = async () => {
      const { tokens } = (await get('/info')).body as Info
      return tokens.find(({ symbol }) => symbol === 'USDC')?.deposits ?? []
    }
    const before = await depositsOf()
    assert.deepEqual(
      [...before].map(({ cap, left, account_cap }) => [cap, left, account_cap]),
      [
        [null, null, null],
        [null, null, null],
      ],
    )
    const custody = [...model.state.records.custody.values()].find(
      ({ engineType, token }) => engineType === 'PERPETUAL' && token === TOKENS.USDC.address,
    )
    assert.ok(custody !== undefined)
    const count = scenario.blocks().length
    const { engine, engineType, token, held } = custody
    scenario.say({
      type: 'DepositCapSet' as const,
      engine,
      engineType,
      token,
      total: held + 1_500_000n,
      perAccount: 7n,
    })
    scenario.next().deposit('carol', 'USDC', 1n)
    applyBlocks(scenario.blocks().slice(count))
    const [capped, ...others] = (await depositsOf()).filter(({ cap }) => cap !== null)
    await close()
    assert.deepEqual(
      [capped?.contract, capped?.left, capped?.account_cap, others],
      [...[engine, '0.5', '0.000007', []]],
    )
  })

  test('GET /info names documents that are all there', async () => {
    const node = await scenarioNode(funded('ETH-USDC').blocks())
    const { documents } = (await node.get('/info')).body as Info
    for (const url of Object.values(documents).filter((path) => path !== documents.relay))
      assert.equal((await node.host.inject(url)).statusCode, 200, url)
    await node.close()
    assert.equal(Object.keys(documents).length, 9)
  })

  test('GET /info follows the chain: a market listed later brings its engine', async () => {
    const scenario = funded('ETH-USDC')
    const node = await scenarioNode(scenario.blocks())
    const perps = async () => ((await node.get('/info')).body as Info).contracts.perps
    assert.equal(await perps(), undefined)
    const known = scenario.blocks().length
    scenario.list('ETH-PERP')
    node.applyBlocks(scenario.blocks().slice(known))
    assert.notEqual(await perps(), undefined)
    await node.close()
  })

  test('GET /info publishes every message that the contracts hash, member by member', async () => {
    const { info } = await infoOf({ published: PUBLISHED })
    const { accounts, spot, perps } = info.typed_data
    const published = (messages: object | undefined) =>
      Object.values(messages as Info['typed_data']['api']).map(({ types, primaryType }) =>
        encodeType(primaryType, types[primaryType]),
      )
    const hashed = (file: string) => {
      const path = `../../../contracts/src/${file}`
      const source = readFileSync(new URL(path, import.meta.url), 'utf8')
      return [...source.matchAll(/keccak256\(\s*"(\w+\([^"]*\))"/g)].map(([, type = '']) => type)
    }
    const domain = encodeType('EIP712Domain', spot?.Order.domain_types)
    assert.deepEqual([domain, ...published(spot)], hashed('Signed.sol'))
    assert.deepEqual([domain, ...published(accounts)], hashed('Accounts.sol'))
    assert.deepEqual(published(perps), published(spot))
  })
})

test('GET /info publishes every message of a registration as the API checks it', async () => {
  const { info } = await infoOf({ published: PUBLISHED })
  const { chainId, domainName: name } = ACCOUNT_SETTINGS
  const domain = { name, version: '1', chainId }
  const onChain = { ...domain, verifyingContract: address('a') }
  const grant = { account: address('1'), key: address('2'), expiry: 3n }
  const { api, accounts } = info.typed_data
  for (const [published, { domain: checked, types, primaryType }] of [
    [api.Register, registerData(domain, grant.key, grant.expiry)],
    [api.RegisterFor, registerForData(domain, grant)],
    [api.SignKey, signKeyData(domain, grant.account)],
    [accounts?.RegisterKey, registerKeyData(onChain, grant)],
    [accounts?.AcceptKey, acceptKeyData(onChain, grant)],
  ] as const)
    assert.deepEqual(
      {
        domain: published?.domain,
        types: { EIP712Domain: published?.domain_types, ...published?.types },
        primaryType: published?.primaryType,
      },
      { domain: checked, types, primaryType },
    )
})

/** An order in the form of the published message, with its digest (docs/KEYS.md). */
const VECTOR = {
  message: {
    account: address('7'),
    market: '1',
    isBuy: true,
    limitPrice: '3000000000000000000000',
    amount: '1000000000000000000',
    timeInForce: '0',
    reduceOnly: false,
    triggerKind: '0',
    triggerPrice: '0',
    goodTil: '0',
    maxFills: '0',
    replaces: `0x${'0'.repeat(64)}`,
    replacesAmount: '0',
    salt: '5',
    deadline: '1900000000',
  },
  digest: '0x24d2dae64bed4d9795cca81f8bd4282f0022906a124d40cc2f3f4f77fa15f60e',
}

describe('published typed data', () => {
  test('published typed data can be passed to signTypedData unchanged: viem and our own digest agree on a fixed one', async () => {
    const { info } = await infoOf({ published: PUBLISHED })
    const published = info.typed_data.perps?.Order
    assert.ok(published)
    const { domain, types, primaryType } = published
    const { message } = VECTOR
    assert.equal(hashTypedData({ domain, types, primaryType, message } as never), VECTOR.digest)
    const settings = { ...ACCOUNT_SETTINGS, chainId: domain.chainId, domainName: domain.name }
    const { account, market, isBuy, reduceOnly, replaces, ...numbers } = message
    const raw = Object.fromEntries(
      Object.entries(numbers).map(([name, text]) => [name, BigInt(text)]),
    )
    const order = { account, market: 1, isBuy, reduceOnly, replaces, ...raw }
    const small = { timeInForce: 0, triggerKind: 0, maxFills: 0 }
    const own = orderDigest(settings, String(domain.verifyingContract), {
      ...order,
      ...small,
    } as never)
    assert.equal(own, VECTOR.digest)
    const wallet = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const signature = await wallet.signTypedData({ domain, types, primaryType, message } as never)
    assert.equal(await recoverAddress({ hash: own as never, signature }), wallet.address)
  })

  test('published typed data has one primary type, and no type of the domain, as ethers requires', async () => {
    const { info } = await infoOf({ published: PUBLISHED })
    const all = Object.values(info.typed_data).flatMap((messages) => Object.values(messages))
    assert.ok(all.length > 10)
    for (const { domain, types, domain_types, primaryType } of all) {
      assert.deepEqual(Object.keys(types), [primaryType])
      assert.deepEqual(
        domain_types.map(({ name }) => name),
        Object.keys(domain),
      )
    }
  })
})

describe('published facts', () => {
  const secret = 'a1b2c3-secret'
  const env = {
    DATABASE_URL: `postgres://user:${secret}@db.example/venue`,
    RPC_URL: `https://node.example/v2/${secret}`,
    REDIS_URL: `redis://:${secret}@cache.example`,
  }

  test('the API publishes neither the nodes that it asks nor any other URL of its own', async () => {
    const published = readPublished(parseConfig(env))
    assert.deepEqual(published.rpcUrls, [])
    const { text } = await infoOf({ published })
    assert.ok(!text.includes(secret) && !text.includes('.example'), text)
  })

  test('the API publishes the nodes and the explorer that the operator names', () => {
    const also = {
      PUBLIC_RPC_URL: 'https://a.example,https://b.example',
      EXPLORER_URL: 'https://e.example',
    }
    const { rpcUrls, explorerUrl } = readPublished(parseConfig({ ...env, ...also }))
    assert.deepEqual(rpcUrls, ['https://a.example', 'https://b.example'])
    assert.equal(explorerUrl, 'https://e.example')
    const withPassword = { ...env, PUBLIC_RPC_URL: `https://user:${secret}@a.example` }
    assert.throws(
      () => parseConfig(withPassword),
      (error) =>
        error instanceof ConfigInvalid &&
        error.message.includes('PUBLIC_RPC_URL') &&
        !error.message.includes(secret),
    )
  })

  test('a deployment whose contracts verify another domain is refused with both', () => {
    const folder = mkdtempSync(join(tmpdir(), 'openvenue-info-'))
    const DEPLOYMENT_FILE = join(folder, 'deployment.json')
    writeFileSync(DEPLOYMENT_FILE, JSON.stringify({ ...DEPLOYED, domainName: 'openvenue-testnet' }))
    const read = (also: object) => readPublished(parseConfig({ ...env, DEPLOYMENT_FILE, ...also }))
    assert.throws(() => read({}), {
      name: 'ConfigInvalid',
      message: `${DEPLOYMENT_FILE}: domainName differs: got "openvenue-testnet", expected "openvenue" (TYPED_DATA_DOMAIN or NETWORK)`,
    })
    for (const also of [{ TYPED_DATA_DOMAIN: 'openvenue-testnet' }, { NETWORK: 'testnet' }])
      assert.ok(read(also).contracts.spot)
    rmSync(folder, { recursive: true })
  })

  test('a deployment that is wrong is refused with the field', () => {
    for (const [field, value] of [
      ['lens', '0x12'],
      ['governance', 5],
      ['startBlock', -1],
      ['spot', undefined],
      ['oracles', 'none'],
    ] as const)
      assert.throws(
        () => publishedDeployment({ ...DEPLOYED, [field]: value }),
        (error) => error instanceof ConfigInvalid && error.message.startsWith(field),
        field,
      )
  })
})
