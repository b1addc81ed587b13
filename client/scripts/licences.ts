// Collects the licences of packages that are bundled, which ask to be given along.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOREIGN = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//
const LICENCE = /^licen[cs]e(\.\w+)?$/i

/** Returns the licences of the packages that `modules` are of, one after the other. */
export function licencesOf(modules: readonly string[]): string {
  const packages = new Map(
    modules.flatMap((module) => {
      const [, folder = '', name = ''] = FOREIGN.exec(module) ?? []
      return name === '' ? [] : [[name, folder] as const]
    }),
  )
  return [...packages]
    .sort()
    .map(([name, folder]) => {
      const file = readdirSync(folder).find((one) => LICENCE.test(one))
      if (file === undefined) throw new Error(`${name} is bundled and has no licence`)
      return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
