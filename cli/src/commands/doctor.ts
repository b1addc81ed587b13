// Command `doctor`: checks everything that trading depends on, with advice for each problem.
import { words } from '../columns.ts'
import { type CommandSpec, option } from '../command.ts'
import { Ending, EXIT } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { accountChecks } from './doctor/account-checks.ts'
import { chainChecks } from './doctor/chain-checks.ts'
import { fileChecks } from './doctor/file-checks.ts'
import type { Finding } from './doctor/finding.ts'
import { venueChecks } from './doctor/venue-checks.ts'

const STYLES = { ok: 'green', warn: 'yellow', fail: 'red' } as const
const FINDINGS = [
  words('status', (finding: Finding) => finding.status, {
    title: '',
    style: ({ status }) => STYLES[status],
  }),
  words('check', (finding: Finding) => finding.check),
  words('found', (finding: Finding) => finding.found),
  words('advice', (finding: Finding) => finding.advice ?? '', { title: 'what to do' }),
]

export const doctor: CommandSpec = {
  name: 'doctor',
  summary: 'check the venue, your keys and the chain, with advice',
  examples: ['openvenue doctor', 'openvenue doctor --verify --rpc https://node.example.org'],
  options: [option('--verify', 'compare books and balances with the contracts on a chain node')],
  run: async (session, { options }) => {
    const isDeep = options.verify === true
    const files = await fileChecks(session)
    const venue = await venueChecks(session)
    const isReachable = venue.every(({ check, status }) => check !== 'api' || status !== 'fail')
    const isReadable = files.every(({ status }) => status !== 'fail')
    const findings = [
      ...files,
      ...venue,
      ...(isReachable && isReadable ? await further(session, isDeep) : []),
    ]
    const failed = findings.filter(({ status }) => status === 'fail').length
    const answer = { ok: failed === 0, findings }
    session.output.show({ answer, rows: findings, columns: FINDINGS })
    if (failed > 0) throw new Ending(EXIT.mismatch)
  },
}

/** Checks that need the venue and the file. */
async function further(session: Session, isDeep: boolean): Promise<Finding[]> {
  const [account, chain] = await Promise.all([accountChecks(session), chainChecks(session, isDeep)])
  return [...account, ...chain]
}
