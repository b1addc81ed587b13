import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAccountSettings } from './account-config.ts'
import { ACCOUNT_SETTINGS } from './account-settings.ts'

const ADDRESS = `0x${'Ab'.repeat(20)}`
const RECEIPT_KEY = `0x${'0a'.repeat(32)}`

describe('the settings of accounts', () => {
  test('the settings of accounts need nothing set', () => {
    assert.deepEqual(parseAccountSettings({}), ACCOUNT_SETTINGS)
  })

  test('the settings of accounts have the defaults of the interface', () => {
    const { keysPerAccountMax, keyTtlMaxSeconds, balancePointsMax, sockets } = ACCOUNT_SETTINGS
    assert.deepEqual(
      [keysPerAccountMax, keyTtlMaxSeconds, balancePointsMax],
      [5, 30 * 86_400, 2000],
    )
    assert.deepEqual(sockets.authPerConnection, { points: 5, seconds: 60 })
    assert.deepEqual(sockets.authPerAddress, { points: 30, seconds: 60 })
    assert.equal(ACCOUNT_SETTINGS.accountCacheMs, 2000)
    assert.equal(ACCOUNT_SETTINGS.chainId, 5_042_002)
  })

  test('the settings of accounts give sockets the limits of docs/SOCKETS.md', () => {
    const { sockets } = ACCOUNT_SETTINGS
    assert.equal(sockets.connectionsPerAddressMax, 100)
    assert.equal(sockets.subscriptionsMax, 1000)
    assert.deepEqual(sockets.operations, { points: 20, seconds: 1 })
    assert.equal(sockets.idleSeconds, 15 * 60)
    assert.equal(sockets.bufferBytesMax, 4 * 1024 ** 2)
  })

  for (const [name, value, path, expected] of [
    ['CHAIN_ID', '31337', 'chainId', 31_337],
    ['TYPED_DATA_DOMAIN', 'my venue', 'domainName', 'my venue'],
    ['NETWORK', 'testnet', 'domainName', 'openvenue-testnet'],
    ['ACCOUNTS_ADDRESS', ADDRESS, 'accountsContract', ADDRESS.toLowerCase()],
    ['ACCOUNT_CACHE_MS', '0', 'accountCacheMs', 0],
    ['RELAY_RECEIPT_KEY', RECEIPT_KEY.toUpperCase().replace('X', 'x'), 'receiptKey', RECEIPT_KEY],
    [
      'RELAY_RECEIPT_ADDRESSES',
      `${ADDRESS}, 0x${'0b'.repeat(20)}`,
      'receiptAddresses',
      [ADDRESS.toLowerCase(), `0x${'0b'.repeat(20)}`],
    ],
    ['RELAY_BUDGET_INITIAL', '7', 'orderBudget', { initial: 7, perUsdc: 1_000_000n }],
    ['RELAY_BUDGET_INITIAL', 'off', 'orderBudget', undefined],
    ['RELAY_BUDGET_PER_USDC', '0.5', 'orderBudget', { initial: 10_000, perUsdc: 500_000n }],
    ['API_KEY_TTL_MAX_S', '60', 'keyTtlMaxSeconds', 60],
    ['API_KEYS_PER_ACCOUNT_MAX', '1', 'keysPerAccountMax', 1],
    ['INVITE_ONLY', 'true', 'isInviteOnly', true],
    ['LEGACY_HEADER_BRAND', 'acme, Old2', 'headerBrands', ['ACME', 'OLD2']],
    ['BALANCE_HISTORY_POINTS_MAX', '10', 'balancePointsMax', 10],
    ['EQUITY_SNAPSHOT_INTERVAL_S', '7', 'snapshotIntervalSeconds', 7],
    ['WS_AUTH_PER_CONNECTION', '9', 'sockets.authPerConnection', { points: 9, seconds: 60 }],
    ['WS_AUTH_PER_IP', '99', 'sockets.authPerAddress', { points: 99, seconds: 60 }],
    ['WS_BUFFER_MAX', '1024', 'sockets.bufferBytesMax', 1024],
    ['WS_CONNECTIONS_PER_IP', '3', 'sockets.connectionsPerAddressMax', 3],
    ['WS_MEMORY_MAX', '2048', 'sockets.memoryBytesMax', 2048],
    ['WS_CONNECTIONS_MAX', '7', 'sockets.connectionsMax', 7],
    [
      'WS_MESSAGES_PER_CONNECTION',
      '5/2+3',
      'sockets.messagesPerConnection',
      { points: 5, seconds: 2, burst: 3 },
    ],
    ['WS_MESSAGES_PER_IP', 'off', 'sockets.messagesPerAddress', undefined],
    ['WS_SUBSCRIPTIONS_MAX', '4', 'sockets.subscriptionsMax', 4],
    ['WS_PER_BLOCK_MAX', '5', 'sockets.perBlockMax', 5],
    ['WS_IDLE_S', '5', 'sockets.idleSeconds', 5],
    ['WS_PING_S', '5', 'sockets.pingSeconds', 5],
    ['TRADING', 'coming_soon', 'trading', 'coming_soon'],
    ['TRADING', 'cancel_only', 'trading', 'cancel_only'],
  ] as const)
    test(`${name}=${value} sets ${path} and nothing else`, () => {
      const [outer = '', inner] = path.split('.')
      const { sockets } = ACCOUNT_SETTINGS
      const changed = inner === undefined ? expected : { ...sockets, [inner]: expected }
      const settings = parseAccountSettings({ [name]: value })
      assert.deepEqual(settings, { ...ACCOUNT_SETTINGS, [outer]: changed })
    })

  test('the settings of the main network are its chain id and a domain of its own, and trading is to come', () => {
    assert.equal(parseAccountSettings({ NETWORK: 'mainnet' }).chainId, 5042)
    const main = { NETWORK: 'mainnet', CHAIN_ID: '7' }
    const { domainName, chainId, trading } = parseAccountSettings(main)
    assert.deepEqual([domainName, chainId, trading], ['openvenue-mainnet', 7, 'coming_soon'])
    assert.equal(parseAccountSettings({ ...main, TRADING: 'live' }).trading, 'live')
  })

  test('the settings of networks differ in their domain, so that no signature is valid on two', () => {
    const names = ['devnet', 'testnet', 'mainnet'].map(
      (NETWORK) => parseAccountSettings({ NETWORK, CHAIN_ID: '1' }).domainName,
    )
    assert.equal(new Set(names).size, 3)
  })

  for (const [name, value] of [
    ['CHAIN_ID', '0'],
    ['TRADING', 'soon'],
    ['CHAIN_ID', '0x1'],
    ['TYPED_DATA_DOMAIN', 'x'.repeat(101)],
    ['ACCOUNTS_ADDRESS', '0x12'],
    ['ACCOUNT_CACHE_MS', '3600001'],
    ['API_KEY_TTL_MAX_S', '59'],
    ['API_KEY_TTL_MAX_S', '31622401'],
    ['API_KEYS_PER_ACCOUNT_MAX', '0'],
    ['API_KEYS_PER_ACCOUNT_MAX', '1000001'],
    ['INVITE_ONLY', 'yes'],
    ['LEGACY_HEADER_BRAND', 'A-B'],
    ['LEGACY_HEADER_BRAND', 'A,,B'],
    ['BALANCE_HISTORY_POINTS_MAX', '0'],
    ['EQUITY_SNAPSHOT_INTERVAL_S', '0'],
    ['WS_AUTH_PER_CONNECTION', '0'],
    ['WS_AUTH_PER_IP', 'many'],
    ['WS_BUFFER_MAX', '1073741825'],
    ['WS_MEMORY_MAX', '0'],
    ['WS_CONNECTIONS_MAX', 'some'],
    ['WS_MESSAGES_PER_CONNECTION', '10'],
    ['WS_MESSAGES_PER_IP', '0/1'],
    ['WS_CONNECTIONS_PER_IP', '-1'],
    ['WS_SUBSCRIPTIONS_MAX', '0'],
    ['WS_IDLE_S', '0'],
    ['WS_PING_S', '0'],
    ['WS_PING_S', '301'],
    ['RELAY_RECEIPT_ADDRESSES', '0x12'],
    ['RELAY_RECEIPT_ADDRESSES', `${ADDRESS},${RECEIPT_KEY}`],
    ['RELAY_RECEIPT_ADDRESSES', new Array(5).fill(ADDRESS).join()],
  ] as const)
    test(`the settings of accounts refuse ${name}=${value.slice(0, 20)}, naming it`, () => {
      const parse = () => parseAccountSettings({ [name]: value })
      assert.throws(parse, { name: 'ConfigInvalid', message: new RegExp(`^${name} is `) })
    })

  for (const key of [
    'secret',
    `0x${'00'.repeat(32)}`,
    `0x${'ff'.repeat(32)}`,
    `0x${'0a'.repeat(31)}`,
  ])
    test(`the settings of accounts refuse RELAY_RECEIPT_KEY=${key.slice(0, 10)}, naming it, not its value`, () => {
      const parse = () => parseAccountSettings({ RELAY_RECEIPT_KEY: key })
      const isRefused = ({ name, message }: Error) =>
        name === 'ConfigInvalid' && /^RELAY_RECEIPT_KEY is /.test(message) && !message.includes(key)
      assert.throws(parse, isRefused)
    })

  test('the settings of accounts seal secrets by the first KEY_ENCRYPTION_KEY, and open what the others sealed', () => {
    const [first, second] = ['0a'.repeat(32), 'B1'.repeat(32)]
    const seal = (text: string) => parseAccountSettings({ KEY_ENCRYPTION_KEY: text }).secretSeal
    const sealed = seal(first)?.seal('secret', 'key') ?? ''
    assert.equal(seal(`${second}, ${first}`)?.open(sealed, 'key')?.export().toString(), 'secret')
    assert.equal(seal(second)?.open(sealed, 'key'), undefined)
  })

  for (const text of ['secret', '0a'.repeat(31), `${'0a'.repeat(32)},`, `0x${'0a'.repeat(32)}`])
    test(`the settings of accounts refuse KEY_ENCRYPTION_KEY=${text.slice(0, 6)}…${text.length}, naming it, not its value`, () => {
      const parse = () => parseAccountSettings({ KEY_ENCRYPTION_KEY: text })
      const isRefused = ({ name, message }: Error) =>
        name === 'ConfigInvalid' &&
        /^KEY_ENCRYPTION_KEY is /.test(message) &&
        !message.includes(text)
      assert.throws(parse, isRefused)
    })
})
