// The command line of a service. `--check-config` lists every wrong setting and opens nothing;
// `--config` names a file of settings.
import { parseArgs } from 'node:util'
import { ConfigInvalid, type Environment } from './environment.ts'
import { SECRETS } from './secret-files.ts'
import { readSettingsFile } from './settings-file.ts'

const OPTIONS = { 'check-config': { type: 'boolean' }, config: { type: 'string' } } as const
const OPTIONS_RULE = 'expected --check-config, --config <file>, or none'

/**
 * Returns whether to check the settings instead of starting, and `env` with the settings file that
 * the options name; throws `ConfigInvalid` for other options.
 */
export function readOptions(args: readonly string[], env: Environment) {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind === 'option' && token.name in OPTIONS) continue
    throw new ConfigInvalid(`unknown option: got ${args[token.index]}, ${OPTIONS_RULE}`)
  }
  const { config, 'check-config': check } = values
  if (config === true || config === '' || typeof check === 'string')
    throw new ConfigInvalid(`invalid options: got ${args.join(' ')}, ${OPTIONS_RULE}`)
  return {
    isCheck: check === true,
    env: typeof config === 'string' ? { ...env, OPENVENUE_CONFIG: config } : env,
  }
}

/** Values that replace wrong ones without a default, so that the check can go on. */
const EXAMPLES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://127.0.0.1/venue',
  KEEPER_KEY: `0x${'1'.repeat(64)}`,
  KEEPER_PRICE_URL: 'http://127.0.0.1',
}

/**
 * Returns `ok` and a line end. Throws `ConfigInvalid` with a line for every value that `parse`
 * refuses; like its messages, the lines contain no secrets.
 */
export function checkConfig(parse: (env: Environment) => unknown, env: Environment): string {
  const file = readSettingsFile(env)
  const settings = { ...file.env, OPENVENUE_CONFIG: undefined }
  const faults = [...file.faults, ...findFaults(parse, settings)]
  if (faults.length > 0) throw new ConfigInvalid(faults.join('\n'))
  return 'ok\n'
}

/**
 * `parse` stops at the first wrong value, so each one is replaced before the next attempt. A rule
 * that names a replaced variable cannot be judged.
 */
function findFaults(parse: (env: Environment) => unknown, given: Environment): readonly string[] {
  const env = { ...given }
  const faults: string[] = []
  const wrong = new Set<string>()
  for (;;) {
    const error = refusalOf(parse, env)
    if (error === undefined) return faults
    const name = variableIn(error)
    if (wrong.has(name)) return faults
    if (!mentionsAny(error, wrong)) faults.push(error.message)
    wrong.add(name)
    env[name] = EXAMPLES[name]
    env[`${name}_FILE`] = undefined
  }
}

function refusalOf(
  parse: (env: Environment) => unknown,
  env: Environment,
): ConfigInvalid | undefined {
  try {
    parse(env)
    return undefined
  } catch (error) {
    if (error instanceof ConfigInvalid) return error
    throw error
  }
}

/** Returns the variable that a message begins with; of a secret's file, the secret. */
function variableIn({ message }: ConfigInvalid): string {
  const [name = ''] = /^\w+/.exec(message) ?? []
  return SECRETS.find((secret) => name === `${secret}_FILE`) ?? name
}

const mentionsAny = ({ message }: ConfigInvalid, names: ReadonlySet<string>): boolean =>
  [...message.matchAll(/\b[A-Z][A-Z0-9_]+\b/g)].some(([word]) => names.has(word))
