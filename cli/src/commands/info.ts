// Command `info`: network, chain and trading status of the venue.
import type { shapes } from 'openvenue'
import { words } from '../columns.ts'
import type { CommandSpec } from '../command.ts'

type VenueInfo = shapes.VenueInfo

const contract = (name: 'accounts' | 'spot' | 'perps') =>
  words(name, ({ contracts }: VenueInfo) => contracts[name]?.address)

const INFO = [
  words('network', ({ network }: VenueInfo) => network.name),
  words('trading', ({ network }: VenueInfo) => network.trading, {
    style: ({ network }) => (network.trading === 'live' ? 'green' : 'yellow'),
  }),
  words('chain_id', ({ network }: VenueInfo) => network.chain_id),
  words('version', ({ version }: VenueInfo) => version),
  words('tokens', ({ tokens }: VenueInfo) => tokens.map(({ symbol }) => symbol).join(' ')),
  ...[contract('accounts'), contract('spot'), contract('perps')],
  words('rpc_urls', ({ network }: VenueInfo) => network.rpc_urls.join(' '), { title: 'nodes' }),
  words('explorer_url', ({ network }: VenueInfo) => network.explorer_url, { title: 'explorer' }),
]

export const info: CommandSpec = {
  name: 'info',
  summary: 'show the network, its contracts and whether orders are accepted',
  examples: ['openvenue info', 'openvenue info --json --url https://api.example.org'],
  run: async (session) => {
    const answer = await (await session.publicRest()).call('GET /info')
    session.output.facts(answer, answer, INFO)
  },
}
