// Tools for endpoints of the venue. They ship with this program: a venue cannot change the
// description of a tool.
import { readFileSync } from 'node:fs'

/** Requirement of a tool: none, a key that reads, or a key that cancels. */
export type AccessLevel = 'market' | 'account' | 'cancel'
/** Part of the request that a member of the input goes into. */
export type ParameterLocation = 'path' | 'query' | 'body'

export type EndpointTool = Readonly<{
  name: string
  level: AccessLevel
  /** Method and path, as in docs/openapi.json. */
  endpoint: string
  title: string
  description: string
  places: Readonly<Record<string, ParameterLocation>>
  inputSchema: Readonly<Record<string, unknown>>
}>

/** Returns all tools that were generated from the API description. */
export const loadEndpointTools = (): readonly EndpointTool[] =>
  JSON.parse(
    readFileSync(new URL('../generated/tools.json', import.meta.url), 'utf8'),
  ) as EndpointTool[]
