// Runs a scenario and prints what can be followed: npm run scenario -- crash [insurance=3000]
// [here] By default in a devnet of its own, which is gone afterwards; `here`: in the one that runs,
// in DATA_DIR.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { parseConfig } from './config.ts'
import { checkApi } from './crash/api-check.ts'
import { ChainClient, type RunningVenue } from './crash/chain-client.ts'
import { runCrash } from './crash/crash.ts'
import { writeReport } from './crash/report.ts'
import { requireDeployment } from './deployment.ts'
import { createDevnet } from './devnet.ts'
import { rpcAt } from './rpc.ts'
import { findVenue } from './running-file.ts'

/** Low enough that some positions must be deleveraged. */
const INSURANCE_DOLLARS = 3_000n
const USAGE = 'usage: npm run scenario -- crash [insurance=<whole USDC>] [here]'

const write = (line: string) => process.stdout.write(`${line}\n`)

type ScenarioOptions = Readonly<{ insuranceDollars: bigint; isHere: boolean }>

function parseArguments([scenario, ...options]: readonly string[]): ScenarioOptions {
  let parsed: ScenarioOptions = { insuranceDollars: INSURANCE_DOLLARS, isHere: false }
  if (scenario !== 'crash') throw new Error(USAGE)
  for (const option of options) {
    const [, dollars] = /^insurance=(\d{1,12})$/.exec(option) ?? []
    if (dollars !== undefined) parsed = { ...parsed, insuranceDollars: BigInt(dollars) }
    else if (option === 'here') parsed = { ...parsed, isHere: true }
    else throw new Error(`${option} is not an option. ${USAGE}`)
  }
  return parsed
}

/** Returns whether everything had the expected result. */
async function run(
  venue: RunningVenue,
  { insuranceDollars, isHere }: ScenarioOptions,
): Promise<boolean> {
  const client = new ChainClient(venue, (ms) => sleep(ms))
  const result = await runCrash(client, { insuranceDollars, returns: isHere, print: write })
  const differences = await checkApi(client)
  for (const line of writeReport(result, differences)) write(line)
  return result.ledger.isBalanced && differences.length === 0
}

async function runHere(options: ScenarioOptions): Promise<boolean> {
  const { dataDir } = parseConfig(process.env)
  const { apiUrl, rpcUrl, domainName } = findVenue(dataDir)
  const deployment = requireDeployment(dataDir)
  const rpc = rpcAt(rpcUrl)
  const wallets = (await rpc.call('eth_accounts')) as string[]
  return run({ apiUrl, rpc, deployment, wallets, domainName }, options)
}

async function runApart(options: ScenarioOptions): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openvenue-crash-'))
  const config = {
    ...parseConfig({}),
    dataDir,
    port: 0,
    indexerPort: 0,
    integratedPort: 0,
    anvilPort: 0,
    keeperPort: 0,
    historyHours: 0,
    pace: undefined,
    publicRate: undefined,
    registerRate: undefined,
  }
  write('starting a devnet')
  const devnet = await createDevnet(config, pino({ level: 'error' }, pino.destination(2)))
  try {
    const { apiUrl, deployment, wallets } = devnet
    const rpc = rpcAt(devnet.rpcUrl)
    const { domainName } = config
    return await run({ apiUrl, rpc, deployment, wallets, domainName }, options)
  } finally {
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function main(): Promise<boolean> {
  const options = parseArguments(process.argv.slice(2))
  return options.isHere ? runHere(options) : runApart(options)
}

main().then(
  (isFine) => process.exit(isFine ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
