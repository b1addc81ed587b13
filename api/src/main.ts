// An API node as a process of its own: node src/main.ts
import { enableCompileCache } from 'node:module'

// Before the rest is loaded: a second start is five times as quick, and 20 MB smaller.
enableCompileCache()

const stopped = new Promise<void>((resolve) => {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve())
})

try {
  const { runNode } = await import('./run-node.ts')
  await runNode(process.env, stopped)
} catch (error) {
  // A mistake in the configuration needs its sentence, not a stack.
  const { name, message, stack } = error as Error
  process.stderr.write(`${name === 'ConfigInvalid' ? message : stack}\n`)
  process.exit(1)
}
