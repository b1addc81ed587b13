// Looks at what the services of this environment need: npm run doctor
// One line for each thing, `ok` or `bad` with what to do about it. Exits with 1 if any is bad. It
// changes nothing and prints no secret.
import { examine } from './doctor/examine.ts'

const findings = await examine(process.env)
const lines = findings.map(({ what, isOk, says, advice }) =>
  isOk ? `ok   ${what}: ${says}` : `BAD  ${what}: ${says}\n     -> ${advice}`,
)
const count = findings.filter(({ isOk }) => !isOk).length
const verdict = count === 0 ? 'all is well' : `${count} of ${findings.length} are bad`
// Connections that hang must not keep it: everything has been looked at.
process.stdout.write(`${[...lines, verdict].join('\n')}\n`, () => process.exit(count === 0 ? 0 : 1))
