// Describes the tools that are endpoints of the venue. They are part of this program and not of
// what a venue answers: no venue can change what a tool says it does.
import { readFileSync } from 'node:fs'

/** What a tool needs: nothing, a key that reads, or one that cancels. */
export type Level = 'market' | 'account' | 'cancel'
/** Where a member of the input belongs in the request. */
export type Place = 'path' | 'query' | 'body'

export type EndpointTool = Readonly<{
  name: string
  level: Level
  /** Method and path, as the description of the interface has them. */
  endpoint: string
  title: string
  description: string
  places: Readonly<Record<string, Place>>
  inputSchema: Readonly<Record<string, unknown>>
}>

/** Returns all of them, as they were generated from the description of the interface. */
export const loadEndpointTools = (): readonly EndpointTool[] =>
  JSON.parse(
    readFileSync(new URL('../generated/tools.json', import.meta.url), 'utf8'),
  ) as EndpointTool[]
