// Reads every fill from the contracts' logs, with the ids of the API.
import { perpsAbi } from '@openvenue/contracts/abi/perps'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { DevnetDeployment } from '@openvenue/devnet/deployment'
import type { ChainRpc } from '@openvenue/devnet/rpc'
import { quantity } from '@openvenue/runtime/node'
import { type Log, parseEventLogs } from 'viem'

/** An event of an engine; `id` is its position on chain, as in trades. */
export type EngineEvent = Readonly<{
  engine: string
  name: string
  id: string
  args: Readonly<Record<string, unknown>>
}>

/** Returns every event of both engines. */
export async function readEvents(
  rpc: ChainRpc,
  { spot, perps, startBlock }: Pick<DevnetDeployment, 'spot' | 'perps' | 'startBlock'>,
): Promise<readonly EngineEvent[]> {
  const events: EngineEvent[] = []
  for (const [engine, abi] of [
    [spot, spotAbi],
    [perps, perpsAbi],
  ] as const) {
    const range = { fromBlock: quantity(startBlock), toBlock: 'latest' }
    const logs = (await rpc.call('eth_getLogs', { address: engine, ...range })) as Log[]
    for (const { eventName, args, blockNumber, logIndex } of parseEventLogs({ abi, logs })) {
      const block = String(Number(blockNumber)).padStart(12, '0')
      const id = `${block}-${String(Number(logIndex)).padStart(6, '0')}`
      events.push({ engine, name: eventName, id, args: args as Record<string, unknown> })
    }
  }
  return events
}

/** Returns the ids of the fills of account `number`, in text order. */
export function fillsIn(logged: readonly EngineEvent[], number: number): string[] {
  const fills = logged.filter(({ name }) => name === 'Filled')
  const of = (side: 'maker' | 'taker', letter: string) =>
    fills.filter(({ args }) => Number(args[side]) === number).map(({ id }) => `${id}-${letter}`)
  const forced = (name: string, account: string, letter: string) =>
    logged
      .filter((event) => event.name === name && Number(event.args[account]) === number)
      .map(({ id }) => `${id}-${letter}`)
  return [
    ...of('maker', 'm'),
    ...of('taker', 't'),
    ...forced('Absorbed', 'account', 'f'),
    ...forced('Deleveraged', 'loser', 'f'),
    ...forced('Deleveraged', 'winner', 'g'),
  ].sort()
}

/** Returns the ids of the trades in market `number` of `engine`, in text order. */
export const tradesIn = (
  logged: readonly EngineEvent[],
  engine: string,
  number: number,
): string[] =>
  logged
    .filter((event) => event.name === 'Filled' && event.engine === engine)
    .filter(({ args }) => Number(args.market) === number)
    .map(({ id }) => id)
    .sort()
