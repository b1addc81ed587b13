// Content of venue.json for tests.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import type { VenueFile } from '../src/config/venue-schema.ts'

type TestRoles = Readonly<{ wallets: readonly Hex[]; eth: Hex }>

/** A small venue: a market of each kind, a source of each kind, and limits everywhere. */
export function smallVenue({ wallets, eth }: TestRoles): VenueFile {
  const [, guardian, proposer, pusher, canceller] = wallets as readonly [Hex, Hex, Hex, Hex, Hex]
  const values = { minOrderValue: '2.5', maxOrderValue: '1000000' }
  return {
    tokens: { USDC: { decimals: 6 }, ETH: { address: eth, decimals: 18 } },
    collateral: 'USDC',
    governance: {
      delaySeconds: 86_400,
      proposers: [proposer],
      executors: ['anybody'],
      cancellers: [canceller],
    },
    guardian,
    oracle: {
      pusher,
      pyth: '0x5555555555555555555555555555555555555555',
      chainlink: {},
      assets: {
        ETH: { source: 'pusher' },
        BTC: { source: 'pyth', id: `0x${'ab'.repeat(32)}` },
        SOL: { source: 'chainlink', feed: '0x6666666666666666666666666666666666666666' },
      },
    },
    spot: [
      {
        name: 'ETH-USDC',
        base: 'ETH',
        quote: 'USDC',
        priceStep: '0.01',
        ...values,
        amountStep: '0.0001',
      },
    ],
    perpetuals: [
      {
        name: 'ETH-PERP',
        asset: 'ETH',
        priceStep: '0.01',
        amountStep: '0.0001',
        ...values,
        maxPositionValue: '5000000',
        maxOpenInterest: '15000',
        impactValue: '1000',
        maxLeverage: 20,
        makerFee: '-0.0001',
        takerFee: '0.00035',
        indexAgeMaxSeconds: 90,
      },
    ],
    outflow: {
      spot: { USDC: { share: '0.25', small: '10000' } },
      perpetuals: { share: '0.5', small: '20000' },
    },
    depositCap: {
      spot: { USDC: { total: '5000000', perAccount: '100000' } },
      perpetuals: { total: '10000000', perAccount: '200000' },
    },
  }
}

/** Writes `venue` into a new folder and returns the folder and the path. */
export function writeVenue(venue: VenueFile): Readonly<{ folder: string; path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-deploy-'))
  const path = join(folder, 'venue.json')
  writeFileSync(path, JSON.stringify(venue))
  return { folder, path }
}
