// Gives an account of the running devnet an API key: npm run register -- <index> [on-chain]
import { parseConfig } from './config.ts'
import { registerWallet } from './registration.ts'
import { ROLES } from './roles.ts'
import { findVenue } from './running-file.ts'

const DAY_SECONDS = 24 * 3600
/** Has the key registered on the chain too. */
const ON_CHAIN = 'on-chain'

async function main(): Promise<void> {
  const index = Number(process.argv[2] ?? ROLES.visitors[0])
  const indexes: readonly number[] = [...ROLES.visitors, ...ROLES.traders]
  const [how, ...others] = process.argv.slice(3)
  const isKnown = (how === undefined || how === ON_CHAIN) && others.length === 0
  if (!indexes.includes(index) || !isKnown)
    throw new Error(
      `usage: npm run register -- <index> [${ON_CHAIN}], an account of the mnemonic from ${indexes[0]} to ${indexes.at(-1)}`,
    )
  const isOnChain = how === ON_CHAIN
  const { dataDir } = parseConfig(process.env)
  const { apiUrl } = findVenue(dataDir)
  const expirySeconds = Math.floor(Date.now() / 1000) + DAY_SECONDS
  const { account, apiKey, signingKey, signingPrivateKey } = await registerWallet({
    apiUrl,
    index,
    expirySeconds,
    isOnChain,
  })
  process.stdout.write(
    [
      `account      ${account}`,
      `signing key  ${signingKey}`,
      ...(isOnChain ? [`its secret   ${signingPrivateKey}   signs orders, once on the chain`] : []),
      `API key      ${apiKey.key}`,
      `secret       ${apiKey.secret}   shown this once; the venue keeps a hash`,
      '',
      `curl -H 'API-KEY: ${apiKey.key}' -H 'API-SECRET: ${apiKey.secret}' '${apiUrl}/account'`,
      '',
    ].join('\n'),
  )
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
