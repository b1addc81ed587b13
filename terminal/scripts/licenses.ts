// Writes licenses.txt: the licences of all packages that are part of the page.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Folder of a package, from the path of one of its files. */
const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const TEXTS = ['LICENSE*', 'LICENCE*', 'NOTI*', 'licenses/LICENSE*']

/** Returns a plugin for the worker, which finds packages, and one for the page, which writes. */
export function licenses(): Readonly<{ worker: () => Plugin; page: () => Plugin }> {
  const folders = new Set<string>()
  const find = (ids: Iterable<string>) => {
    for (const id of ids) {
      const [folder] = FOLDER.exec(id) ?? []
      if (folder !== undefined && !folder.includes('\0')) folders.add(folder)
    }
  }
  return {
    worker: () => ({
      name: 'licenses-of-worker',
      generateBundle() {
        find(this.getModuleIds())
      },
    }),
    page: () => ({
      name: 'licenses',
      generateBundle() {
        find(this.getModuleIds())
        const source = [...folders].sort().map(textOf).join('\n')
        this.emitFile({ type: 'asset', fileName: 'licenses.txt', source })
      },
    }),
  }
}

function textOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = globSync(TEXTS, { cwd: folder }).sort()
  const all = texts.map((file) => `${readFileSync(join(folder, file), 'utf8').trim()}\n`)
  return [`${name} ${version} (${license})\n`, ...all].join('\n')
}
