// The operator's commands. `npm run deploy -- --help` lists their options.
import { createInterface } from 'node:readline/promises'
import { runCommand } from './command.ts'

async function confirm(): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await lines.question('\nsend this? (yes/no) ')).trim() === 'yes'
  } finally {
    lines.close()
  }
}

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  print: (text) => void process.stdout.write(`${text}\n`),
  printError: (text) => void process.stderr.write(`${text}\n`),
  confirm,
})
