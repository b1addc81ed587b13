// Installs missing Debian packages that tests need, as root or with sudo.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export const CHROMIUM = '/usr/bin/chromium'
export const NATS = '/usr/sbin/nats-server'
export const NGINX = '/usr/sbin/nginx'
export const BACKREST = '/usr/bin/pgbackrest'
export const PGBOUNCER = '/usr/sbin/pgbouncer'
const NGINX_SCRIPTS = '/usr/lib/nginx/modules/ngx_http_js_module.so'

export const isProgram = (name: string): boolean => spawnSync(name, ['--version']).status === 0

/** Returns whether the packages are there now. */
export function aptInstall(...packages: readonly string[]): boolean {
  const [program = '', ...before] = process.getuid?.() === 0 ? ['apt-get'] : ['sudo', 'apt-get']
  const apt = (...args: readonly string[]) =>
    spawnSync(program, [...before, ...args], {
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  return apt('update') && apt('install', '-y', '--no-install-recommends', ...packages)
}

/**
 * Returns whether nginx and its module for scripts are available. Without them, the tests of its
 * configuration are skipped, except on CI.
 */
export function installNginx(): boolean {
  if (existsSync(NGINX_SCRIPTS) || aptInstall('nginx', 'libnginx-mod-http-js')) return true
  if (process.env.CI === undefined) return false
  throw new Error(`nginx is not installed as ${NGINX}, with ${NGINX_SCRIPTS}`)
}

/** Returns whether NATS is available. Without it, tests that need it are skipped, except on CI. */
export function installNats(): boolean {
  if (isProgram(NATS) || aptInstall('nats-server')) return true
  if (process.env.CI === undefined) return false
  throw new Error(`NATS is not installed as ${NATS}`)
}

/**
 * Returns whether Chromium is available. Where it is not a package, as on Ubuntu, page tests are
 * skipped, except on CI.
 */
export function installChromium(): boolean {
  if (isProgram(CHROMIUM) || aptInstall('chromium')) return true
  if (process.env.CI === undefined) return false
  throw new Error(`Chromium is not installed as ${CHROMIUM}`)
}

/** Returns whether pgBackRest is available. Without it, its drill is skipped, except on CI. */
export function installBackrest(): boolean {
  if (existsSync(BACKREST) || aptInstall('pgbackrest')) return true
  if (process.env.CI === undefined) return false
  throw new Error(`pgBackRest is not installed as ${BACKREST}`)
}
