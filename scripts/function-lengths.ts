// Measures functions as a reader meets them: each as a whole, with all that is nested in it.
import { stripTypeScriptTypes } from 'node:module'
import { type AnyNode, parse } from 'acorn'

/** A function of a source. `lines` counts those that are not blank. */
type FunctionLength = Readonly<{ name: string; line: number; lines: number }>

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value

const children = (node: AnyNode): readonly AnyNode[] => Object.values(node).flat().filter(isNode)

const ANONYMOUS = 'anonymous'
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** Returns the name that a declaration, a method or a property gives its function. */
function givenName(node: AnyNode): string {
  const named = node as { id?: { name?: string } | null; key?: { name?: string } }
  return named.id?.name ?? named.key?.name ?? ANONYMOUS
}

/** Returns the functions of a TypeScript source, those within others included. */
export function functionLengths(text: string): readonly FunctionLength[] {
  // Types become blanks, so that lines stay where they are.
  const program = parse(stripTypeScriptTypes(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  })
  const source = text.split('\n')
  const lengths: FunctionLength[] = []
  const visit = (node: AnyNode, name: string): void => {
    if (FUNCTIONS.includes(node.type) && node.loc) {
      const { start, end } = node.loc
      const lines = source.slice(start.line - 1, end.line).filter((line) => line.trim()).length
      const given = givenName(node)
      lengths.push({ name: given === ANONYMOUS ? name : given, line: start.line, lines })
    }
    for (const child of children(node)) visit(child, givenName(node))
  }
  visit(program, ANONYMOUS)
  return lengths
}
