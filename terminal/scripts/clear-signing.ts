// Writes the ERC-7730 descriptors into docs/erc7730. With the URL of a venue's API and a folder it
// writes the descriptors of that venue, with the addresses of its contracts:
// node terminal/scripts/clear-signing.ts https://api.example descriptors
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { shapes } from 'openvenue'
import { type Deployments, makeDescriptors, NOWHERE } from './descriptors.ts'

const DOCS = new URL('../../docs/erc7730/', import.meta.url).pathname

async function main([url, folder]: readonly string[]): Promise<void> {
  const at = url === undefined ? NOWHERE : await readDeployments(url)
  const target = folder ?? DOCS
  mkdirSync(target, { recursive: true })
  for (const [name, descriptor] of Object.entries(makeDescriptors(at)))
    writeFileSync(join(target, name), `${JSON.stringify(descriptor, null, 2)}\n`)
  process.stdout.write(`the descriptors are in ${target}\n`)
}

async function readDeployments(url: string): Promise<Deployments> {
  const { network, contracts, tokens } = (await (
    await fetch(`${url.replace(/\/$/, '')}/info`)
  ).json()) as shapes.VenueInfo
  const here = (all: readonly (Readonly<{ address: string }> | undefined)[]) =>
    all.flatMap((one) =>
      one === undefined ? [] : [{ chainId: network.chain_id, address: one.address }],
    )
  return {
    accounts: here([contracts.accounts]),
    engines: here([contracts.spot, contracts.perps]),
    tokens: here(tokens),
  }
}

await main(process.argv.slice(2))
