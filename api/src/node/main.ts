// An API node as a process of its own: npm run api
import { enableCompileCache } from 'node:module'

// The engine keeps three times this many MB for new objects, once it needed them to load the model;
// by itself it takes 16, and answers from memory take as long.
const NEW_OBJECTS = '--max-semi-space-size=4'

// Before the rest is loaded: a second start is five times as quick. Only this file is then read
// without the cache, for which Node loads a compiler of 30 MB; so the process begins again with the
// cache on from its first line, where the system can.
const { directory } = enableCompileCache()
if (!process.execArgv.includes(NEW_OBJECTS)) beginAgain(directory)

const stopped = new Promise<void>((resolve) => {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve())
})

try {
  const { runNode } = await import('./run.ts')
  await runNode(process.env, stopped)
} catch (error) {
  // A mistake in the configuration needs its sentence, not a stack.
  const { name, message, stack } = error as Error
  process.stderr.write(`${name === 'ConfigInvalid' ? message : stack}\n`)
  process.exit(1)
}

/** Replaces this process by the same one, which keeps its number and its files. */
function beginAgain(cache: string | undefined): void {
  const { execPath, execArgv, argv, env, platform } = process
  if (platform === 'win32') return
  const again = [execPath, ...execArgv, NEW_OBJECTS, ...argv.slice(1)]
  const cached = cache === undefined ? env : { ...env, NODE_COMPILE_CACHE: cache }
  process.execve?.(execPath, again, cached as Record<string, string>)
}
