// Triggers the reports of price-network contracts to the oracle, which any account may do and none
// does otherwise.
import { chainlinkSourceAbi } from '@openvenue/contracts/abi/chainlink-source'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import type { CallAnswer } from '@openvenue/runtime/node'
import { readViews, type ViewCall } from '@openvenue/runtime/views'
import { type Abi, decodeFunctionResult, encodeFunctionData, type Hex, stringToHex } from 'viem'
import type { Task } from './task.ts'
import type { TaskContext } from './task-context.ts'

/** Pause between polls of the networks. */
const REPORTS_MS = 1_000
/** Poll interval of the report contract of each asset, which only the owner changes. */
const SOURCES_MS = 60_000
const NONE = /^0x0*$/

/** Functions common to all report contracts. */
const SOURCE_ABI: Abi = chainlinkSourceAbi

type Sources = ReadonlyMap<string, string>
/** A network's price and time, or its refusal to give them, as text to compare. */
type PriceReading = string
const REFUSED: PriceReading = 'refused'

/** `PriceStatus` of the contracts: a price in force, and one in force from the next second. */
const ACCEPTED = 1
const RETURNED = 2

/** Returns the task for `assets()`, by their names at the oracle. */
export function reportsTask(context: TaskContext, assets: () => readonly string[]): Task {
  let sources: Sources = new Map()
  let askedMs = Number.NEGATIVE_INFINITY
  let askedFor = ''
  /** Last reading by asset: a held jump is reported again only with a new reading. */
  const reported = new Map<string, PriceReading>()
  return {
    name: 'reports',
    everyMs: REPORTS_MS,
    round: async () => {
      const names = [...new Set(assets())]
      const nowMs = context.clock.nowMs()
      if (Math.abs(nowMs - askedMs) >= SOURCES_MS || askedFor !== names.join()) {
        sources = await readSources(context, names)
        askedMs = nowMs
        askedFor = names.join()
      }
      const news = (await readNews(context, sources)).filter(
        // A doubt that another caller has ended is raised again.
        ({ asset, reading }) => reading === REFUSED || reported.get(asset) !== reading,
      )
      if (news.length === 0) return
      const outcomes = await context.sendAll(
        'reports',
        news.map(({ asset, source }) => ({
          to: source,
          data: encodeFunctionData({
            abi: SOURCE_ABI,
            functionName: 'report',
            args: [bytes32(asset)],
          }),
          description: `report of ${asset}`,
        })),
      )
      for (const [at, { asset, reading }] of news.entries())
        if (outcomes[at]?.kind === 'included') reported.set(asset, reading)
    },
  }
}

const bytes32 = (asset: string): Hex => stringToHex(asset, { size: 32 })

const oracleView = (context: TaskContext, functionName: string, asset: string): ViewCall => ({
  to: context.deployment.oracles[0] ?? '',
  abi: pushOracleAbi,
  functionName,
  args: [bytes32(asset)],
})

/** Returns the report contract of each asset that has one. */
async function readSources(context: TaskContext, assets: readonly string[]): Promise<Sources> {
  const values = await readViews(
    context.node,
    assets.map((asset) => oracleView(context, 'sourceOf', asset)),
  )
  const pairs = assets.map((asset, at): [string, string] => [asset, String(values[at])])
  return new Map(pairs.filter(([, source]) => !NONE.test(source)))
}

type News = Readonly<{ asset: string; source: string; reading: PriceReading }>

/**
 * Returns the readings of networks that the oracle lacks. For a reading that must not be used, a
 * report puts the oracle's price in doubt, unless it already is.
 */
async function readNews({ node, deployment }: TaskContext, sources: Sources): Promise<News[]> {
  const data = (abi: Abi, functionName: string, asset: string) =>
    encodeFunctionData({ abi, functionName, args: [bytes32(asset)] })
  const call = (to: string, input: Hex) => ({
    method: 'eth_call',
    params: [{ to, data: input }, 'latest'],
  })
  const answers = await node.batch(
    [...sources].flatMap(([asset, source]) => [
      call(source, data(SOURCE_ABI, 'reading', asset)),
      call(deployment.oracles[0] ?? '', data(pushOracleAbi, 'read', asset)),
    ]),
  )
  return [...sources].flatMap(([asset, source], at): News[] => {
    const reading = newReading(answers[2 * at], answers[2 * at + 1])
    return reading === undefined ? [] : [{ asset, source, reading }]
  })
}

/** Compares the answers of network and oracle; returns the network's reading if it is new. */
function newReading(network: CallAnswer | undefined, oracle: CallAnswer | undefined) {
  if (network === undefined || oracle === undefined || !('result' in oracle)) return undefined
  const reading = decode(pushOracleAbi, 'read', oracle.result)
  if (reading === undefined) return undefined
  const [price, time, , status] = reading
  if (!('result' in network)) return [ACCEPTED, RETURNED].includes(status) ? REFUSED : undefined
  const said = decode(SOURCE_ABI, 'reading', network.result)
  const isKnown = said?.[0] === price && said?.[1] === time && status === ACCEPTED
  return said === undefined || isKnown ? undefined : `${said[0]} ${said[1]}`
}

/** Decodes the result of a view; undefined when the address has no code. */
const decode = (abi: Abi, functionName: string, data: unknown) =>
  data === '0x'
    ? undefined
    : (decodeFunctionResult({ abi, functionName, data: data as Hex }) as readonly [
        bigint,
        bigint,
        bigint,
        number,
      ])
