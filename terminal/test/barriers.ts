// Asks axe what of a page keeps somebody out.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

type Axe = Readonly<{
  run: () => Promise<
    Readonly<{
      violations: readonly Readonly<{
        id: string
        nodes: readonly Readonly<{ html: string; failureSummary?: string }>[]
      }>[]
    }>
  >
}>

/** Returns the rule, and where it is broken. The page's own policy stays as it is. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // The debugger evaluates what no script of the page could load.
  await page.evaluate(`if (globalThis.axe === undefined) { ${AXE} }`)
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe }
    return (await axe.run()).violations
  })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
