// The operator's commands, from arguments to exit code.
import { parseArgs } from 'node:util'
import { NotCompiled } from '@openvenue/contracts/scripts/compile'
import { ConfigInvalid, type Environment } from '@openvenue/runtime/environment'
import { withSecretFiles } from '@openvenue/runtime/secret-files'
import { BaseError, type Hex, type PrivateKeyAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { USAGE } from './admin/actions.ts'
import { GUARDIAN_USAGE } from './admin/guardian.ts'
import { admin } from './admin-command.ts'
import { FolderTaken } from './apply/durable-file.ts'
import { JournalDiffers } from './apply/journal.ts'
import { StepFailed } from './apply/sender.ts'
import { VenueFileInvalid } from './config/venue-terms.ts'
import { deploy } from './deploy-command.ts'
import { FeeAboveCap } from './plan/fees.ts'
import { openSession } from './session.ts'
import { verify } from './verify-command.ts'

const HELP = `npm run deploy -- --network testnet --config venue.json
  --dry-run            prints the plan only; needs no key (--from 0x… names the deployer)
  --yes                skips the confirmation
  --dir DIR            folder of journal.json and deployment.json (default: deployments/NETWORK)
  --rpc URL            node (default: the first of RPC_URL or RPC_URL_FILE, or the network's)
  --tip-gwei, --fee-floor-gwei, --fee-cap-gwei (FEE_TIP_GWEI, FEE_FLOOR_GWEI)
npm run verify -- --network testnet --config venue.json
  --no-rebuild         trusts the committed code instead of compiling the sources
  --rebuild A,B        compiles only these contracts
  --publish            uploads the sources to Sourcify and Blockscout (--sourcify, --blockscout URL)
npm run admin -- list | propose [ACTION …] | execute ID | cancel ID, with --network and --config
  --calldata           prints the call data for a multisig
  --salt TEXT          distinguishes a proposal from another with the same calls
${USAGE}
npm run admin -- COMMAND …, with --network and --config, without a proposal
${GUARDIAN_USAGE}
The key that pays for gas is DEPLOYER_KEY, or ADMIN_KEY for admin, or the content of the file
DEPLOYER_KEY_FILE or ADMIN_KEY_FILE, which only you may be able to read.
`

/** Environment, output and input of the command's process. */
type Surroundings = Readonly<{
  env: Environment
  /** Prints a line. */
  print(text: string): void
  /** Prints an error line. */
  printError(text: string): void
  /** Asks whether to send the printed transactions. */
  confirm(): Promise<boolean>
}>

const SOURCIFY_URL = 'https://sourcify.dev/server'

const OPTIONS = {
  network: { type: 'string' },
  config: { type: 'string' },
  dir: { type: 'string' },
  rpc: { type: 'string' },
  from: { type: 'string' },
  'tip-gwei': { type: 'string' },
  'fee-floor-gwei': { type: 'string' },
  'fee-cap-gwei': { type: 'string' },
  sourcify: { type: 'string' },
  blockscout: { type: 'string' },
  'no-rebuild': { type: 'boolean' },
  rebuild: { type: 'string' },
  publish: { type: 'boolean' },
  salt: { type: 'string' },
  calldata: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

function readAccount(
  name: 'DEPLOYER_KEY' | 'ADMIN_KEY',
  env: Environment,
): PrivateKeyAccount | undefined {
  const key = withSecretFiles(env, [name])[name]?.trim()
  if (!key) return undefined
  try {
    return privateKeyToAccount(key as Hex)
  } catch {
    // The original message would contain the key.
    throw new ConfigInvalid(`${name} is invalid: expected a private key, 0x and 64 hex digits`)
  }
}

type OptionValues = ReturnType<typeof parse>['values']

const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })

async function runDeploy(
  values: OptionValues,
  { env, print, confirm }: Surroundings,
): Promise<boolean> {
  const isDryRun = values['dry-run'] === true
  return deploy(await openSession(values, env), {
    account: isDryRun && values.from !== undefined ? undefined : readAccount('DEPLOYER_KEY', env),
    from: values.from as Hex | undefined,
    isDryRun,
    confirm: values.yes === true ? async () => true : confirm,
    print,
  })
}

async function runVerify(values: OptionValues, { env, print }: Surroundings): Promise<boolean> {
  const session = await openSession(values, env)
  return verify(session, {
    rebuilt: values['no-rebuild'] === true ? 'none' : (values.rebuild?.split(',') ?? 'all'),
    isPublished: values.publish === true,
    sourcifyUrl: values.sourcify ?? SOURCIFY_URL,
    blockscoutUrl: values.blockscout ?? session.network.explorerUrl,
    typedDataDomain: env.TYPED_DATA_DOMAIN || undefined,
    print,
  })
}

async function runAdmin(
  values: OptionValues,
  { env, print, confirm }: Surroundings,
  words: readonly string[],
): Promise<boolean> {
  const isPrinted = values.calldata === true
  return admin(await openSession(values, env), {
    words,
    account: isPrinted ? undefined : readAccount('ADMIN_KEY', env),
    isPrinted,
    salt: values.salt ?? '',
    confirm: values.yes === true ? async () => true : confirm,
    print,
  })
}

/** Runs the command named by the first of `words`, and returns the exit code. */
export async function runCommand(
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  try {
    return (await run(words, surroundings)) ? 0 : 1
  } catch (error) {
    surroundings.printError(explain(error))
    return 1
  }
}

async function run(
  [command = '', ...args]: readonly string[],
  surroundings: Surroundings,
): Promise<boolean> {
  const { values, positionals } = parse(args)
  const commands = { deploy: runDeploy, verify: runVerify, admin: runAdmin } as const
  if (values.help !== true && Object.hasOwn(commands, command))
    return commands[command as keyof typeof commands](values, surroundings, positionals)
  surroundings.print(HELP)
  return values.help === true
}

/** Errors that an operator can fix. Their message is printed without a stack trace. */
const EXPECTED: readonly (new (...args: never[]) => Error)[] = [
  ConfigInvalid,
  VenueFileInvalid,
  JournalDiffers,
  FolderTaken,
  StepFailed,
  FeeAboveCap,
  NotCompiled,
]

/** Returns the text of any error. Errors of the node omit its URL, which may contain a key. */
function explain(error: unknown): string {
  if (EXPECTED.some((type) => error instanceof type)) return (error as Error).message
  if (error instanceof BaseError)
    return `error of the node: ${error.shortMessage} ${error.details ?? ''}`.trimEnd()
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
