// Talks with the server as a client does, and keeps what both said: for tests.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

export const MAIN = new URL('../src/main.ts', import.meta.url).pathname

type Message = Parameters<NonNullable<StdioClientTransport['onmessage']>>[0]
/** One message, and who sent it. */
export type Line = Readonly<{ from: 'client' | 'server'; message: Message }>

export type Called = Readonly<{
  isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what comes
  content: any
  text: string
}>

export type Conversation = Readonly<{
  client: Client
  lines: readonly Line[]
  /** Calls a tool; returns what it answered, and whether that was an error. */
  call: (name: string, input?: Record<string, unknown>) => Promise<Called>
  toolNames: () => Promise<string[]>
  close: () => Promise<void>
}>

export type Started = Readonly<{
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Another program than that of the sources. */
  main?: string
  /** Speaks the revision before 2026-07-28, as most clients do. */
  isLegacy?: boolean
}>

/** Starts the server in a process of its own, and connects to it. */
export async function converse({
  args,
  env = {},
  main = MAIN,
  isLegacy = false,
}: Started): Promise<Conversation> {
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

/** Keeps every message. Whoever listens to the transport listens behind it. */
class RecordedTransport extends StdioClientTransport {
  readonly lines: Line[] = []

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
