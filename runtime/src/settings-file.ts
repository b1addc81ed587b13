// Settings from a file that `OPENVENUE_CONFIG` names, in the format of systemd's environment files:
// docs/decisions/0100-settings-file.md.
import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { nearestName } from '@openvenue/core/nearest-name'
import { ConfigInvalid, type Environment } from './environment.ts'
import { isOpenToOthers, SECRETS, withSecretFiles } from './secret-files.ts'
import { SETTING_NAMES } from './settings.ts'

/**
 * Returns `given` with the settings of its file, and with the secrets in the files that both name.
 * Throws `ConfigInvalid`, which has a line for each fault and never a secret.
 */
export const readSettings = (given: Environment): Environment =>
  withSecretFiles(withSettingsFile(given))

/** Returns `given` with the settings of its file, which it overrides; throws `ConfigInvalid`. */
export function withSettingsFile(given: Environment): Environment {
  const { env, faults } = readSettingsFile(given)
  if (faults.length > 0) throw new ConfigInvalid(faults.join('\n'))
  return env
}

/** Like `withSettingsFile`, with a list of faults. Only an unreadable file throws. */
export function readSettingsFile(given: Environment) {
  const path = given.OPENVENUE_CONFIG
  if (!path) return { env: given, faults: [] }
  const { text, mode } = readText(path)
  const { settings, faults } = parseSettings(text, path)
  const exposed = SECRETS.filter((name) => settings[name] && isOpenToOthers(mode)).map(
    (name) =>
      `${name} is in a file that others can read: expected ${name}_FILE, or chmod o-rwx ${path}`,
  )
  return { env: override(settings, given), faults: [...faults, ...exposed] }
}

function readText(path: string) {
  try {
    return { text: readFileSync(path, 'utf8'), mode: statSync(path).mode }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigInvalid(
      `OPENVENUE_CONFIG is unreadable: got ${path} (${code}), expected a settings file`,
    )
  }
}

/** Unquoted values have no `#` or quote, which systemd, compose and Node read differently. */
const SETTING = /^\s*([A-Za-z_]\w*)\s*=\s*(?:"[^"]*"|'[^']*'|[^#"'`]*)\s*$/
const BLANK = /^\s*(?:#.*)?$/

/** Messages name lines and never repeat them: any line may hold a secret. */
function parseSettings(text: string, path: string) {
  const settings: Record<string, string> = {}
  const faults: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (BLANK.test(line)) continue
    const [, name = ''] = SETTING.exec(line) ?? []
    const place = `line ${index + 1} of ${path}`
    if (name === '') {
      const rule = 'expected NAME=value, and comments on lines of their own'
      faults.push(`${path} is invalid in line ${index + 1}: ${rule}`)
    } else if (!SETTING_NAMES.has(name)) {
      const nearest = nearestName(SETTING_NAMES, name)
      const rule = nearest === undefined ? 'of docs/OPERATING.md' : `such as ${nearest}`
      faults.push(`${name} is unknown: got it in ${place}, expected a setting ${rule}`)
    } else if (name in settings) {
      faults.push(`${name} is set twice: got it again in ${place}, expected it once`)
    } else {
      settings[name] = parseEnv(line)[name] ?? ''
    }
  }
  return { settings, faults }
}

/** A secret in `given` overrides its file in `settings`, and the reverse. */
function override(settings: Environment, given: Environment): Environment {
  const replaced = SECRETS.flatMap((name) => {
    const both = [name, `${name}_FILE`]
    return both.some((form) => given[form] !== undefined) ? both : []
  })
  const kept = Object.entries(settings).filter(([name]) => !replaced.includes(name))
  return { ...Object.fromEntries(kept), ...given }
}
