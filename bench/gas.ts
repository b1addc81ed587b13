// Shows the gas of whole transactions recorded by the contracts' tests, against the goals.
import { readFileSync } from 'node:fs'
import { type Section, whole } from './table.ts'

/** Gas goals of the contracts, by snapshot name. */
const GOALS: Readonly<Record<'Spot' | 'Perps', Readonly<Record<string, number>>>> = {
  Spot: {
    'place, existing level': 85_000,
    'place, new level': 105_000,
    cancel: 58_000,
    'take 1': 75_000,
    'take 10, one level': 180_000,
    'take 10 levels': 235_000,
  },
  Perps: {
    'place, existing level': 115_000,
    'place, new level': 135_000,
    cancel: 60_000,
    'take 1': 135_000,
    'take 10, one level': 380_000,
    'take 10 levels': 440_000,
  },
}

export const measureGas = async (): Promise<Section> => ({
  title: 'Gas of a transaction (contracts/snapshots, checked by the contracts’ tests)',
  columns: ['action', 'gas', 'goal', ''],
  rows: (['Spot', 'Perps'] as const).flatMap((engine) => gasRows(engine)),
})

function gasRows(engine: 'Spot' | 'Perps'): string[][] {
  const file = new URL(`../contracts/snapshots/${engine}.json`, import.meta.url)
  const gasByTest = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>
  return Object.entries(gasByTest).map(([action, text]) => {
    const gas = Number(text)
    const goal = GOALS[engine][action]
    const verdict = goal === undefined ? '' : gas <= goal ? 'met' : `over by ${whole(gas - goal)}`
    return [`${engine}: ${action}`, whole(gas), goal === undefined ? '' : whole(goal), verdict]
  })
}
