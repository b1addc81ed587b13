import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readStoreConfig } from '../config.ts'
import { judgeServer, Servers, WrongRole } from './servers.ts'

const SECRET = 'pass%40word'
const LOGIN = `postgres://venue:${SECRET}@`

/** Returns the servers of a URL in the order in which they are tried while all fail. */
async function tried(url: string, several: 'any' | 'read-write' = 'read-write') {
  const urls: string[] = []
  const servers = new Servers(url, several)
  const failure = servers.attempt(async ({ url: each, attrs }) => {
    urls.push(`${each.replace(LOGIN, '')} ${attrs}`)
    throw new Error(`refused ${urls.length}`)
  })
  await assert.rejects(failure)
  return urls
}

describe('the servers of a URL', () => {
  test('one server keeps its URL and needs no role', async () => {
    assert.deepEqual(await tried(`${LOGIN}a/venue?sslmode=require`), [
      'a/venue?sslmode=require any',
    ])
    assert.deepEqual(await tried('postgres:///venue?host=/run/postgresql'), [
      'postgres:///venue?host=/run/postgresql any',
    ])
  })

  test('several servers are tried in order, with ports, IPv6 and default ports', async () => {
    const url = `${LOGIN}a:5433,[fd00::1]:5432,b/venue?target_session_attrs=primary&sslmode=require`
    assert.deepEqual(await tried(url), [
      'a:5433/venue?sslmode=require primary',
      '[fd00::1]:5432/venue?sslmode=require primary',
      'b/venue?sslmode=require primary',
    ])
  })

  test('several servers without a role are asked for the primary, or for any replica', async () => {
    assert.deepEqual(await tried(`${LOGIN}a,b/venue`), ['a/venue read-write', 'b/venue read-write'])
    assert.deepEqual(await tried(`${LOGIN}a,b/venue`, 'any'), ['a/venue any', 'b/venue any'])
  })

  test('prefer-standby tries every server again as any', async () => {
    assert.deepEqual(await tried(`${LOGIN}a,b/venue?target_session_attrs=prefer-standby`, 'any'), [
      'a/venue standby',
      'b/venue standby',
      'a/venue any',
      'b/venue any',
    ])
  })

  test('the server that served comes first, one that failed last', async () => {
    const servers = new Servers(`${LOGIN}a,b,c/venue`, 'read-write')
    const names: string[] = []
    const open = (fit: string) =>
      servers.attempt(async ({ name }) => {
        names.push(name)
        if (name !== fit) throw new WrongRole('is a standby')
      })
    for (const fit of ['b', 'b', 'c', 'c']) await open(fit)
    assert.deepEqual(names, ['a', 'b', 'b', 'b', 'c', 'c'])
  })

  test('the error names each server with its reason, and no password', async () => {
    const servers = new Servers(`${LOGIN}a:1,b:2/venue`, 'read-write')
    const reasons: Record<string, Error> = {
      'a:1': new AggregateError([new Error('refused')], ''),
      'b:2': new WrongRole('is a standby'),
    }
    const failure = servers.attempt(async ({ name }) => {
      throw reasons[name]
    })
    await assert.rejects(failure, {
      message: 'no server can be used: a:1 (refused), b:2 (is a standby)',
    })
  })
})

describe('a role', () => {
  const STATES = {
    primary: { standby: 'false', read_only: 'off' },
    readOnlyPrimary: { standby: 'false', read_only: 'on' },
    standby: { standby: 'true', read_only: 'on' },
  }
  const isFit = (attrs: Parameters<typeof judgeServer>[0]['attrs'], state: keyof typeof STATES) => {
    try {
      judgeServer({ url: '', name: '', attrs }, STATES[state])
      return true
    } catch (error) {
      assert.ok(error instanceof WrongRole)
      return false
    }
  }

  test('each role is fit for the servers that libpq accepts', () => {
    const accepted = (attrs: Parameters<typeof isFit>[0]) =>
      (['primary', 'readOnlyPrimary', 'standby'] as const).filter((state) => isFit(attrs, state))
    assert.deepEqual(accepted('any'), ['primary', 'readOnlyPrimary', 'standby'])
    assert.deepEqual(accepted('read-write'), ['primary'])
    assert.deepEqual(accepted('read-only'), ['readOnlyPrimary', 'standby'])
    assert.deepEqual(accepted('primary'), ['primary', 'readOnlyPrimary'])
    assert.deepEqual(accepted('standby'), ['standby'])
  })
})

describe('the setting of a database', () => {
  const refusal = (env: Record<string, string>) => {
    try {
      readStoreConfig(env)
    } catch (error) {
      const { message } = error as Error
      assert.ok(!message.includes('pass'), message)
      return message
    }
    return 'accepted'
  }
  const several = `${LOGIN}a:5432,b:5432/venue`

  test('the setting takes several servers and a role', () => {
    for (const attrs of ['any', 'read-write', 'primary'])
      assert.equal(
        refusal({ DATABASE_URL: `${several}?target_session_attrs=${attrs}` }),
        'accepted',
      )
    for (const attrs of ['any', 'read-only', 'standby', 'prefer-standby'])
      assert.equal(
        refusal({ DATABASE_READ_URL: `${several}?target_session_attrs=${attrs}` }),
        'accepted',
      )
  })

  test('an unknown role, or a role that cannot write, is refused with the rule', () => {
    assert.equal(
      refusal({ DATABASE_URL: `${several}?target_session_attrs=master` }),
      'DATABASE_URL is invalid: expected target_session_attrs to be one of any, read-write, read-only, primary, standby, prefer-standby',
    )
    assert.equal(
      refusal({ DATABASE_URL: `${several}?target_session_attrs=standby` }),
      'DATABASE_URL is invalid: expected target_session_attrs to be read-write, since services write',
    )
  })

  test('a wrong list of servers is refused without a part of the URL', () => {
    for (const hosts of ['a,,b', 'a:port,b', 'a:99999,b', '[fd00::1,b', 'a,'])
      assert.equal(
        refusal({ DATABASE_URL: `${LOGIN}${hosts}/venue` }),
        'DATABASE_URL is invalid: expected hosts with commas between them, each with a port or without',
      )
    for (const url of ['mysql://a/venue', 'postgres:venue', 'postgres://venue:pass/word@a/venue'])
      assert.match(refusal({ DATABASE_URL: url }), /^DATABASE_URL is invalid: expected a URL of/)
    assert.match(
      refusal({ DATABASE_READ_URL: `${several}?host=/run` }),
      /^DATABASE_READ_URL is invalid: expected several hosts only before the name/,
    )
  })
})
