// Checks the settings of this environment and the services that it names: npm run doctor
// Prints a line per check: `ok`, or `BAD` with a remedy. Exits with 1 if a check fails. Changes
// nothing and prints no secret.
import { examine } from './doctor/examine.ts'

const findings = await examine(process.env)
const lines = findings.map(({ item, isOk, text, advice }) =>
  isOk ? `ok   ${item}: ${text}` : `BAD  ${item}: ${text}\n     -> ${advice}`,
)
const count = findings.filter(({ isOk }) => !isOk).length
const verdict = count === 0 ? 'all checks passed' : `${count} of ${findings.length} checks failed`
// Exits despite hanging connections: all checks are done.
process.stdout.write(`${[...lines, verdict].join('\n')}\n`, () => process.exit(count === 0 ? 0 : 1))
