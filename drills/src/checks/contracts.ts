// Checks after a drill that what every API node says is what the contracts hold.

import { setTimeout as sleep } from 'node:timers/promises'
import { createComparer } from '@openvenue/e2e/compare'
import type { Venue } from '../venue/venue.ts'

/** Blocks at which a node is compared. */
const BLOCKS = 2
const COMPARED_MS_MAX = 60_000
const PAUSE_MS = 50

/** Throws where an API node differs from the contracts at the same block. */
export async function equalsContracts({ parts }: Venue, leaderUrl: string): Promise<void> {
  parts.chain.isSlow = true
  try {
    for (const { url, name } of parts.apis) await compareNode(parts.chain, { name, url }, leaderUrl)
  } finally {
    parts.chain.isSlow = false
  }
}

async function compareNode(
  { url: rpcUrl, deployment }: Venue['parts']['chain'],
  { name, url: apiUrl }: Readonly<{ name: string; url: string }>,
  indexerUrl: string,
): Promise<void> {
  const comparer = createComparer({ apiUrl, indexerUrl, rpcUrl, deployment })
  const compared = new Set<number>()
  const deadlineMs = performance.now() + COMPARED_MS_MAX
  while (compared.size < BLOCKS) {
    if (performance.now() > deadlineMs)
      throw new Error(`${name} is compared at ${BLOCKS} blocks in time (${compared.size})`)
    const block = await comparer.compare()
    if (block === undefined) await sleep(PAUSE_MS)
    else compared.add(block)
  }
}
