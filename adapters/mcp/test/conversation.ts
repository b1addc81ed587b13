// Talks to the server like a client and records all messages, for tests.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

export const MAIN = new URL('../src/main.ts', import.meta.url).pathname

type Message = Parameters<NonNullable<StdioClientTransport['onmessage']>>[0]
/** A message and its sender. */
export type ConversationMessage = Readonly<{ from: 'client' | 'server'; message: Message }>

type ToolResult = Readonly<{
  isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what comes
  content: any
  text: string
}>

export type Conversation = Readonly<{
  client: Client
  lines: readonly ConversationMessage[]
  /** Calls a tool; returns its answer, and whether that is an error. */
  call: (name: string, input?: Record<string, unknown>) => Promise<ToolResult>
  toolNames: () => Promise<string[]>
  close: () => Promise<void>
}>

export type ServerOptions = Readonly<{
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Program to run instead of the sources. */
  main?: string
  /** Uses the revision before 2026-07-28, like most clients. */
  isLegacy?: boolean
}>

/** Starts the server in a process of its own and connects to it. */
export async function converse({
  args,
  env = {},
  main = MAIN,
  isLegacy = false,
}: ServerOptions): Promise<Conversation> {
  const transport = new RecordedTransport({
    command: process.execPath,
    args: [main, ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'inherit',
  })
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: isLegacy ? 'legacy' : { pin: '2026-07-28' } } },
  )
  await client.connect(transport)
  return {
    client,
    lines: transport.lines,
    call: async (name, input = {}) => {
      const result = await client.callTool({ name, arguments: input })
      const [first] = result.content as readonly { text?: string }[]
      const { isError = false, structuredContent: content } = result
      return { isError, content, text: first?.text ?? '' }
    },
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  }
}

/** Records every message before passing it to the listener. */
class RecordedTransport extends StdioClientTransport {
  readonly lines: ConversationMessage[] = []

  constructor(server: ConstructorParameters<typeof StdioClientTransport>[0]) {
    super(server)
    let listener: StdioClientTransport['onmessage']
    const record = (message: Message) => {
      this.lines.push({ from: 'server', message })
      listener?.(message)
    }
    Object.defineProperty(this, 'onmessage', {
      get: () => (listener === undefined ? undefined : record),
      set: (next: StdioClientTransport['onmessage']) => {
        listener = next === record ? listener : next
      },
    })
  }

  override async send(message: Message): Promise<void> {
    this.lines.push({ from: 'client', message })
    await super.send(message)
  }
}
