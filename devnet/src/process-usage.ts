// Reads the memory and CPU time of a devnet and its child processes.
import { spawnSync } from 'node:child_process'

type ProcessName = 'node' | 'traders' | 'anvil'
type Usage = Readonly<{ megabytes: number; cpuSeconds: number }>

const PS_MS_MAX = 5_000

type ProcessRow = Usage & Readonly<{ pid: number; parent: number; command: string }>

/** Returns the usage of the devnet's own process and of its children, by role. */
export function measureUsage(devnetPid: number): Readonly<Record<ProcessName, Usage>> {
  const rows = readProcesses('-A')
  const children = rows.filter(({ parent }) => parent === devnetPid)
  return {
    node: total(rows.filter(({ pid }) => pid === devnetPid)),
    traders: total(children.filter(({ command }) => command.includes('traders-main'))),
    anvil: total(children.filter(({ command }) => command.includes('anvil'))),
  }
}

/** Returns the usage of one process; zero when it is gone. */
export const measureProcess = (pid: number): Usage =>
  total(readProcesses('-p', String(pid)).filter((row) => row.pid === pid))

/** `ps` ends with an error when it finds none. */
function readProcesses(...which: readonly string[]): readonly ProcessRow[] {
  const options = [...which, '-o', 'pid=,ppid=,rss=,time=,args=']
  const { stdout } = spawnSync('ps', options, { encoding: 'utf8', timeout: PS_MS_MAX })
  return (stdout ?? '').split('\n').map(parseRow)
}

function parseRow(line: string): ProcessRow {
  const [, pid, parent, kilobytes, time = '', command = ''] =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
  return {
    pid: Number(pid),
    parent: Number(parent),
    megabytes: Number(kilobytes) / 1024,
    cpuSeconds: parseCpuTime(time),
    command,
  }
}

/** Parses the time of `ps`: "1-02:03:04", "02:03:04" or "03:04.05". */
export function parseCpuTime(text: string): number {
  const [, days = '0', clock = ''] = /^(?:(\d+)-)?(.*)$/.exec(text) ?? []
  return clock
    .split(':')
    .reduce(
      (sum, part, index, { length }) => sum + Number(part) * 60 ** (length - 1 - index),
      Number(days) * 86_400,
    )
}

const total = (rows: readonly ProcessRow[]): Usage => ({
  megabytes: Math.round(rows.reduce((sum, { megabytes }) => sum + megabytes, 0)),
  cpuSeconds: rows.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
})
