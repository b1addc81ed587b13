// Fills in the operators' templates in ops/ha, like envsubst.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export type MachineSettings = Readonly<Record<string, string>>

const read = (file: string) =>
  readFileSync(new URL(`../../../ops/ha/${file}`, import.meta.url), 'utf8')

/** Returns the settings of machine.env, changed by `own`. Throws for a name that it lacks. */
export function machineSettings(own: MachineSettings): MachineSettings {
  const settings = parseEnv(read('machine.env')) as MachineSettings
  for (const name of Object.keys(own))
    if (!(name in settings)) throw new Error(`${name} is not a setting of ops/ha/machine.env`)
  return { ...settings, ...own }
}

/** Returns a template with its names filled in. Throws for a name without a value. */
export function fillIn(
  file: 'patroni.yml' | 'etcd.env' | 'haproxy.cfg',
  settings: MachineSettings,
): string {
  return read(file).replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = settings[name]
    if (!value) throw new Error(`${name} of ${file} has no value in ops/ha/machine.env`)
    return value
  })
}
