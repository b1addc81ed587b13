// Encodes the events of scenarios as node logs, the inverse of the decoder.
import { ABIS } from '@openvenue/contracts/events/venue-logs'
import {
  CANCEL_REASONS,
  type LoggedEvent,
  TIMES_IN_FORCE,
  type VenueBlock,
} from '@openvenue/core/events'
import { marketEngine } from '@openvenue/core/ids'
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, stringToHex } from 'viem'

/** Contracts of the scenarios that are not engines. */
export const ACCOUNTS = `0x${'ac'.repeat(20)}`
export const ORACLE = `0x${'0c'.repeat(20)}`

export type FakeLog = Readonly<{
  address: string
  topics: readonly string[]
  data: string
  blockNumber: string
  blockHash: string
  logIndex: string
  transactionHash: string
}>

const quantity = (value: number) => `0x${value.toString(16)}`

/** Highest tick of the contracts; scenarios go one higher. */
const TICK_MAX = 2 ** 24 - 2

/**
 * Returns blocks of a scenario as the venue's contracts could have produced them: without pools,
 * which are not theirs, and with ticks in their range.
 */
export const contractBlocks = (blocks: readonly VenueBlock[]): VenueBlock[] =>
  blocks.map(({ header, events }) => ({
    header,
    events: events
      .filter(({ type }) => !type.startsWith('Pool'))
      .map((event) =>
        event.type === 'Placed' ? { ...event, tick: Math.min(event.tick, TICK_MAX) } : event,
      ),
  }))

/** Returns the logs of a block of `contractBlocks`. */
export const logsOf = ({ header, events }: VenueBlock): FakeLog[] =>
  events.map((event) => ({
    ...encodeEvent(event),
    blockNumber: quantity(header.number),
    blockHash: header.hash,
    logIndex: quantity(event.logIndex),
    transactionHash: event.txHash,
  }))

function encodeEvent(event: LoggedEvent) {
  const { address, abi } = sourceOf(event)
  const name = event.type.replace(/^(Spot|Perp)(Listed|Changed)$/, '$2')
  const item = (abi as readonly { type: string; name?: string }[]).find(
    (item) => item.type === 'event' && item.name === name,
  ) as AbiEvent
  const args = argumentsOf(event)
  const rest = item.inputs.filter(({ indexed }) => indexed !== true)
  return {
    address,
    topics: encodeEventTopics({ abi: [item], eventName: name, args } as never) as string[],
    data: encodeAbiParameters(
      rest,
      rest.map((input) => args[input.name ?? '']),
    ),
  }
}

function sourceOf(event: LoggedEvent) {
  if (event.type === 'Indexed') return { address: ORACLE, abi: ABIS.oracle }
  const engine = engineOf(event)
  if (engine === undefined)
    return event.type === 'TokenListed'
      ? { address: SPOT, abi: ABIS.spot }
      : { address: ACCOUNTS, abi: ABIS.accounts }
  return engine === SPOT
    ? { address: engine, abi: ABIS.spot }
    : { address: engine, abi: ABIS.perps }
}

/** Decimals of the scenarios, from `core/test/scenario/listing.ts`. */
const SPOT = '0x5000000000000000000000000000000000000051'

function engineOf(event: LoggedEvent): string | undefined {
  if ('engine' in event) return event.engine
  return 'market' in event ? marketEngine(event.market) : undefined
}

const text = (value: unknown) => stringToHex(String(value), { size: 32 })
const NO_REF = text('')

function argumentsOf(event: LoggedEvent): Record<string, unknown> {
  const args: Record<string, unknown> = { ...event }
  if ('market' in event) args.market = Number.parseInt(event.market.slice(-8), 16)
  for (const name of ['name', 'symbol', 'asset']) if (name in event) args[name] = text(args[name])
  if (event.type === 'Placed') {
    args.timeInForce = TIMES_IN_FORCE.indexOf(event.timeInForce)
    args.ref = event.ref ?? NO_REF
  }
  if (event.type === 'Cancelled') args.reason = CANCEL_REASONS.indexOf(event.reason)
  if (event.type === 'Marked') args.seconds_ = BigInt(event.seconds)
  if (event.type === 'PerpListed' || event.type === 'PerpChanged') args.parameters = event
  return args
}
