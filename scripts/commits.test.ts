// The rule of commit subjects.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenRule } from './commits.ts'

for (const subject of [
  'api: name the operating system in /version',
  'client, cli: read the chain through one reader',
  'api/src: focus the order form',
  'generated: update the ABIs of the contracts',
  'Revert "api: name the operating system"',
  `api: ${'a'.repeat(67)}`,
])
  test(`the check of commits accepts the subject "${subject}"`, () => {
    assert.equal(brokenRule(subject), undefined)
  })

for (const [subject, rule] of [
  ['name the operating system', /"area: summary"/],
  ['API: name the operating system', /"area: summary"/],
  ['api: Name the operating system', /"area: summary"/],
  ['api: names the operating system', /imperative, got "names"/],
  ['api: named the operating system', /imperative, got "named"/],
  ['generated: sizes of the client', /imperative, got "sizes"/],
  ['api: naming the operating system', /imperative, got "naming"/],
  ['api: name the operating system.', /full stop/],
  [`api: ${'a'.repeat(68)}`, /at most 72 characters, got 73/],
] as const)
  test(`the check of commits refuses the subject "${subject}"`, () => {
    assert.match(brokenRule(subject) ?? '', rule)
  })
