// An API node as a separate process: npm run api
import { enableCompileCache } from 'node:module'

// The engine reserves three times this many MB for new objects once loading the model needed them;
// its default is 16, with which answers from memory take as long.
const NEW_OBJECTS = '--max-semi-space-size=4'

// Must precede the other imports: it makes a second start five times as fast. Only this file would
// then be read without the cache, for which Node loads a compiler of 30 MB; so the process restarts
// with the cache on from its first line, if the system can.
const { directory } = enableCompileCache()
if (!process.execArgv.includes(NEW_OBJECTS)) beginAgain(directory)

const stopped = new Promise<void>((resolve) => {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve())
})

try {
  const { checkConfig, readOptions } = await import('@openvenue/runtime/check-config')
  const { isCheck, env } = readOptions(process.argv.slice(2), process.env)
  if (isCheck) {
    const { parseConfig } = await import('./config.ts')
    process.stdout.write(checkConfig(parseConfig, env))
  } else {
    const { runNode } = await import('./run.ts')
    await runNode(env, stopped)
  }
} catch (error) {
  // A configuration mistake is reported in one sentence, without a stack.
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
