// What every page of an account is given.
import type { Navigation } from '../shell/navigation.ts'
import type { Venue } from '../venue.ts'

export type PageProps = Readonly<{ venue: Venue; navigation: Navigation }>
