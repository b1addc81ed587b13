#!/usr/bin/env node
// Starts the server over stdin and stdout. Nothing else is written to stdout.
import { readFileSync } from 'node:fs'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { OpenvenueError } from 'openvenue'
import { readOptions, USAGE } from './options.ts'
import { makeServer } from './server.ts'
import { StartError } from './tool-error.ts'
import { chooseTools } from './tools.ts'

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === undefined) {
    process.stdout.write(USAGE)
    return
  }
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const tools = await chooseTools(options)
  serveStdio(() => makeServer(version, tools), {
    onerror: (error) => void process.stderr.write(`openvenue-mcp: ${error.message}\n`),
  })
}

main().catch((error: unknown) => {
  const isExpected = error instanceof StartError || error instanceof OpenvenueError
  process.stderr.write(`openvenue-mcp: ${isExpected ? error.message : (error as Error).stack}\n`)
  process.exit(1)
})
