// Checks messages against the described shapes of the sockets: for tests.
import assert from 'node:assert/strict'
import { frameSchema, SOCKET_CHANNELS } from '@openvenue/wire/socket-channels'
import { Compile } from 'typebox/schema'

const compiled = new Map(
  SOCKET_CHANNELS.map((description) => [
    description.name.split(':')[0] ?? '',
    Compile(frameSchema(description)),
  ]),
)

/** Fails unless `frame` is a message of its channel as it is described. */
export function assertShape(frame: { channel: string } | undefined): void {
  const shape = compiled.get(frame?.channel.split(':')[0] ?? '')
  const isRight = shape?.Check(frame) === true
  assert.ok(isRight, `has the shape of its channel: ${JSON.stringify(frame)}`)
}
