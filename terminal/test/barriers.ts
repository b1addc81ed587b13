// Checks a page for accessibility violations with axe.
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

/** Returns broken rules with their elements. The page's own policy stays in force. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // The debugger can evaluate code that the page's policy would block.
  await page.evaluate(`if (globalThis.axe === undefined) { ${AXE} }`)
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe }
    return (await axe.run()).violations
  })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
