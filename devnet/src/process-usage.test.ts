import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureProcess, measureUsage, parseCpuTime } from './process-usage.ts'

test('CPU times are parsed in all formats of ps', () => {
  assert.equal(parseCpuTime('00:07'), 7)
  assert.equal(parseCpuTime('03:04.5'), 184.5)
  assert.equal(parseCpuTime('02:03:04'), 7_384)
  assert.equal(parseCpuTime('1-02:03:04'), 93_784)
})

test('the memory of a process is measured by its id, and is zero without a process', () => {
  const { node, traders } = measureUsage(process.pid)
  assert.ok(node.megabytes > 10 && node.cpuSeconds >= 0)
  assert.equal(traders.megabytes, 0)
  assert.ok(measureProcess(process.pid).megabytes > 10)
  assert.equal(measureProcess(2 ** 22 + 1).megabytes, 0)
})
