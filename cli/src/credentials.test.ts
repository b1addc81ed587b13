import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  credentialsPath,
  environmentCredentials,
  readCredentials,
  writeCredentials,
} from './credentials.ts'
import { CredentialError } from './exit-codes.ts'

const SECRET = `0x${'5e'.repeat(32)}` as const
let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'openvenue-cli-'))
})
after(() => rm(home, { recursive: true, force: true }))

const pathOf = (network: string) => credentialsPath({}, home, network)
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
const refusal = (pattern: RegExp) => (error: Error) => {
  assert.ok(error instanceof CredentialError)
  assert.doesNotMatch(error.message, /5e5e/)
  return pattern.test(error.message)
}

describe('the credentials file', () => {
  test('the credentials file and its folder are private to the owner, and it reads back as written', async () => {
    const path = pathOf('written')
    const credentials = { api_key: 'key', signing_key: SECRET, chain_id: 5 }
    await writeCredentials(path, credentials)
    assert.equal(await modeOf(path), '600')
    assert.equal(await modeOf(dirname(path)), '700')
    assert.deepEqual(await readCredentials(path), credentials)
  })

  test('writing the credentials file replaces it and leaves no temporary file', async () => {
    const path = pathOf('replaced')
    await writeCredentials(path, { api_key: 'first' })
    await chmod(path, 0o644)
    await writeCredentials(path, { api_key: 'second' })
    assert.equal(await modeOf(path), '600')
    assert.deepEqual(await readCredentials(path), { api_key: 'second' })
    assert.deepEqual(
      (await readdir(dirname(path))).filter((name) => name.startsWith('.')),
      [],
    )
  })

  for (const mode of [0o640, 0o604, 0o660, 0o610])
    test(`a credentials file with mode ${mode.toString(8)} is refused with the chmod that fixes it`, async () => {
      const path = pathOf('open')
      await writeCredentials(path, { signing_key: SECRET })
      await chmod(path, mode)
      await assert.rejects(readCredentials(path), refusal(/chmod 600 '.+open\.json'/))
    })

  test('a malformed credentials file is refused without its content in the error', async () => {
    const path = pathOf('broken')
    await writeFile(path, `{"signing_key": "${SECRET}"`, { mode: 0o600 })
    await assert.rejects(readCredentials(path), refusal(/not JSON/))
    await writeFile(path, JSON.stringify({ signing_key: `${SECRET}5e` }))
    await assert.rejects(readCredentials(path), refusal(/signing_key in .+: expected 0x and 64/))
  })

  test('a missing credentials file is undefined, and a network name cannot leave the folder', async () => {
    assert.equal(await readCredentials(pathOf('absent')), undefined)
    assert.throws(() => pathOf('../elsewhere'), CredentialError)
    assert.equal(
      credentialsPath({ XDG_CONFIG_HOME: '/config' }, home, 'devnet'),
      '/config/openvenue/devnet.json',
    )
  })
})

describe('the environment', () => {
  test('the environment provides credentials, and an empty variable counts as unset', () => {
    const env = { OPENVENUE_API_KEY: 'key', OPENVENUE_SIGNING_KEY: SECRET, OPENVENUE_ACCOUNT: '' }
    assert.deepEqual(environmentCredentials(env), { api_key: 'key', signing_key: SECRET })
  })

  test('an invalid variable is refused by name without its value in the error', () => {
    const env = { OPENVENUE_WALLET_KEY: '5e5e5e' }
    assert.throws(
      () => environmentCredentials(env),
      refusal(/OPENVENUE_WALLET_KEY: expected 0x and 64/),
    )
  })
})
