// Performs a tool that is an endpoint: its input becomes a request of the client library.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer, Endpoint, Rest } from 'openvenue'
import { answerOf } from './answer.ts'
import type { EndpointTool, Place } from './endpoint-tool.ts'
import type { Input } from './tool-input.ts'

/** The input has been held against the tool's schema. */
export async function callEndpoint(
  rest: Rest,
  tool: EndpointTool,
  input: Input,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { body, blockNumber } = await request(rest, tool, { input, signal })
  return answerOf(body, { blockNumber, inputs: Object.keys(tool.places) })
}

function request(
  rest: Rest,
  { endpoint, places }: EndpointTool,
  { input, signal }: Readonly<{ input: Input; signal: AbortSignal }>,
): Promise<Answer<unknown>> {
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const at = (place: Place) =>
    Object.fromEntries(given.filter(([name]) => places[name] === place)) as Record<string, string>
  const body = at('body')
  const parts = {
    path: at('path'),
    query: at('query'),
    ...(Object.keys(body).length === 0 ? {} : { body }),
  }
  // The endpoints of the tools are those of the document, and so are those of the client.
  return rest.ask(endpoint as Endpoint, parts as never, { signal })
}
