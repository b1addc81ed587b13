// Reads what a devnet and the processes that it started use: memory, and time on a processor.
import { execFileSync } from 'node:child_process'

type Part = 'node' | 'traders' | 'anvil'
type Usage = Readonly<{ megabytes: number; cpuSeconds: number }>

type Row = Usage & Readonly<{ pid: number; parent: number; command: string }>

/** Returns the use of the devnet's own process and of those below it, by what they are. */
export function measureUsage(devnetPid: number): Readonly<Record<Part, Usage>> {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,time=,args='], { encoding: 'utf8' })
    .split('\n')
    .map(parseRow)
  const children = rows.filter(({ parent }) => parent === devnetPid)
  return {
    node: total(rows.filter(({ pid }) => pid === devnetPid)),
    traders: total(children.filter(({ command }) => command.includes('traders-main'))),
    anvil: total(children.filter(({ command }) => command.includes('anvil'))),
  }
}

function parseRow(line: string): Row {
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

/** Reads the time of `ps`: "1-02:03:04", "02:03:04" or "03:04.05". */
export function parseCpuTime(text: string): number {
  const [, days = '0', clock = ''] = /^(?:(\d+)-)?(.*)$/.exec(text) ?? []
  return clock
    .split(':')
    .reduce(
      (sum, part, index, { length }) => sum + Number(part) * 60 ** (length - 1 - index),
      Number(days) * 86_400,
    )
}

const total = (rows: readonly Row[]): Usage => ({
  megabytes: Math.round(rows.reduce((sum, { megabytes }) => sum + megabytes, 0)),
  cpuSeconds: rows.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
})
