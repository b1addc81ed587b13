// Members of the rooms of one transport.

export class Rooms<T> {
  readonly #members = new Map<string, Set<T>>()

  /** Returns the members of the room, or undefined when it is empty. */
  members(room: string): ReadonlySet<T> | undefined {
    return this.#members.get(room)
  }

  join(room: string, member: T): void {
    const members = this.#members.get(room)
    if (members === undefined) this.#members.set(room, new Set([member]))
    else members.add(member)
  }

  leave(room: string, member: T): void {
    const members = this.#members.get(room)
    if (members?.delete(member) && members.size === 0) this.#members.delete(room)
  }
}
