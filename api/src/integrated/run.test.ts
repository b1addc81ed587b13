// The second host as a separate process, as `npm run integrated` runs it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { emptyState } from '@openvenue/core/state'
import { applyBlock } from '@openvenue/core/venue'
import { postgresEngine } from '@openvenue/store/test/engines'
import type { ClobInfo, EarnMarkets } from '@openvenue/wire/pools'
import { pooled } from '../../test/pool-scenario.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

const started = (env: Readonly<Record<string, string>>) =>
  spawn(process.execPath, [MAIN], { env: { PATH: process.env.PATH, ...env } })

/** Returns the URL that the process prints as its address. */
async function readUrl({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += chunk
    const [url] = /http:\/\/[\d.]+:\d+/.exec(text) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`the process ended: ${text}`)
}

describe('the process of the second host', () => {
  for (const [name, env] of [
    ['DATABASE_URL', {}],
    ['INTEGRATED_PORT', { DATABASE_URL: 'postgres://localhost/x', INTEGRATED_PORT: 'x' }],
  ] as const)
    test(`the second host does not start with a wrong ${name}, and names it in one line`, async () => {
      const child = started(env)
      let text = ''
      child.stderr.on('data', (chunk) => {
        text += chunk
      })
      const [code] = await once(child, 'close')
      assert.equal(code, 1)
      assert.match(text, new RegExp(`^${name} is [^\\n]+\\n$`))
    })

  for (const engine of [postgresEngine(process.env.DATABASE_URL)].filter(
    (one) => one !== undefined,
  ))
    test(`the second host serves what ${engine.name} holds, and ends on request`, async () => {
      const database = await engine.createDatabase()
      const store = await database.open()
      const state = emptyState()
      const blocks = pooled().blocks()
      await store.writer.commit(
        blocks.map((block) => applyBlock(state, block)),
        0,
      )
      const child = started({
        DATABASE_URL: database.options.databaseUrl ?? '',
        INTEGRATED_PORT: '0',
        NEW_MARKETS_WINDOW_S: '999999999',
        NETWORK: 'testnet',
        CHAIN_ID: '77',
      })
      const ended = once(child, 'exit')
      const url = await readUrl(child)
      const read = async <T>(path: string) => (await (await fetch(`${url}${path}`)).json()) as T
      const { chain, chainId } = await read<ClobInfo>('/api/clob/info')
      assert.deepEqual([chain, chainId], ['testnet', 77])
      const { markets } = await read<EarnMarkets>('/api/markets/new-markets')
      assert.equal(markets.length, 3)
      const { headers } = await fetch(`${url}/version`)
      assert.equal(headers.get('ratelimit-policy'), '"integrated";q=600;w=60')
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
      await store.close()
      await database.remove()
    })
})
