// One venue for all files of a process that need an ordinary one, because starting one takes as
// long as a short file. Each file finds its traders running and leaves them running.
import type { TestVenue } from '@openvenue/e2e/venue'
import { startPageVenue } from './page-venue.ts'

let users = 0
let starting: Promise<TestVenue> | undefined

/**
 * One file's use of the venue. Created while tests are collected, so that no other file ends the
 * venue.
 */
type VenueUse = Readonly<{
  start(): Promise<TestVenue>
  /** Resumes held traders, or ends the venue if no other file of the process uses it. */
  end(): Promise<void>
}>

export function useCommonVenue(): VenueUse {
  users += 1
  const start = () => {
    starting ??= startPageVenue()
    return starting
  }
  const end = async () => {
    users -= 1
    const venue = await starting
    if (users > 0) return resumeTraders(venue)
    starting = undefined
    await venue?.remove()
  }
  return { start, end }
}

function resumeTraders(venue: TestVenue | undefined): void {
  const { traders } = venue?.devnet.pids() ?? {}
  if (traders !== undefined) process.kill(traders, 'SIGCONT')
}
